import type { FastifyBaseLogger } from 'fastify'
import type { Blobs } from './blobs/blobs.ts'
import { collectBlobs } from './blobs/collect.ts'
import { sweepInserts } from './items/sweep-inserts.ts'
import type { Store } from './store/store.ts'

const minute = 60_000

/** What upkeep leaves alone. */
export type UpkeepBounds = {
  /** How long it is known of an insert that it expired. */
  insertKeptMs: number
  /** How old a blob must be that nobody holds. */
  blobGraceMs: number
}

const usualBounds: UpkeepBounds = { insertKeptMs: 24 * 60 * minute, blobGraceMs: 60 * minute }
const pauseMs = 5 * minute
/** Upkeep takes at most one part in so many of the time. */
const restShare = 20

export type Upkeep = {
  /** Runs once, after the run that may be under way; returns how many blobs were removed. */
  run: (bounds?: UpkeepBounds) => Promise<number>
  stop: () => Promise<void>
}

/** Ends expired inserts and collects blobs, now and then, in the background. */
export function startUpkeep({
  store,
  blobs,
  logger,
}: {
  store: Store
  blobs: Blobs
  logger: FastifyBaseLogger
}): Upkeep {
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false
  let timer: NodeJS.Timeout

  const run = (bounds = usualBounds): Promise<number> => {
    const mine = last.then(async () => {
      if (stopped) return 0
      await sweepInserts(store, { keptMs: bounds.insertKeptMs })
      return collectBlobs({ store, blobs }, { graceMs: bounds.blobGraceMs })
    })
    last = mine.catch(() => {})
    return mine
  }
  const runInBackground = async () => {
    const begun = performance.now()
    try {
      const removed = await run()
      if (removed > 0) logger.info({ removed }, 'blobs collected')
    } catch (error) {
      logger.error({ err: error }, 'upkeep failed')
    }
    plan(Math.max(pauseMs, (performance.now() - begun) * restShare))
  }
  const plan = (ms: number) => {
    if (!stopped) timer = setTimeout(() => void runInBackground(), ms)
  }
  plan(0)
  return {
    run,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await last
    },
  }
}
