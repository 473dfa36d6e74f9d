import type { FastifyInstance } from 'fastify'
import { fail } from '../failure.ts'

/** Beyond these a new request would only make all others slower. */
export type LoadBounds = {
  /** Requests that are being answered. */
  inFlight: number
  /** Milliseconds by which the event loop is late. */
  lag: number
  /** Requests that wait for a view; they must leave room among those in flight for all others. */
  waiting: number
}

export const usualBounds: LoadBounds = { inFlight: 2000, lag: 1000, waiting: 500 }

/** Milliseconds between two looks at the event loop. */
const interval = 250

/** Refuses requests of an instance while the process is overloaded, before anything of them is read. */
export function shedLoad(app: FastifyInstance, bounds: LoadBounds): void {
  let inFlight = 0
  let lag = 0
  let before = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const late = now - last - interval
    // One hiccup is no overload.
    lag = Math.min(before, late)
    before = late
    last = now
  }, interval).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  app.addHook('onRequest', (_request, reply, done) => {
    if (inFlight >= bounds.inFlight || lag > bounds.lag) return done(fail('OVERLOADED'))
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    done()
  })
}
