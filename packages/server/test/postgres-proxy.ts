import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { postgresUrl } from './engines.ts'

/**
 * When a connection is cut: `unsent`, before the server gets what was sent; `unanswered`, once it has
 * answered, and nobody is told.
 */
export type Cut = 'unsent' | 'unanswered'

export type PostgresProxy = {
  /** Returns the address of a database through this proxy. */
  through: (url: string) => string
  /** Decides about each message, a statement mostly, of a connection. */
  cutAt: (message: Buffer, connection: Socket) => Cut | undefined
  /** Lets nothing more through on the connections that there are, and tells nobody. */
  silence: () => void
  /** Resets all connections, and new ones too until `restore`. */
  cutAll: () => void
  restore: () => void
  /** Answers nothing to new connections, until all are cut. */
  holdNew: () => void
  /** How many connections were asked for. */
  readonly attempts: number
  /** How many were reset. */
  readonly cuts: number
  close: () => Promise<void>
}

/** Stands between a server and PostgreSQL, and cuts what it is told to. */
export async function startPostgresProxy(): Promise<PostgresProxy> {
  const target = new URL(postgresUrl!)
  const open = new Map<Socket, Socket>()
  const silent = new Set<Socket>()
  const held = new Set<Socket>()
  let isDown = false
  let isHeld = false
  let attempts = 0
  let cuts = 0

  const reset = (near: Socket, far: Socket | undefined) => {
    if (near.destroyed) return
    cuts += 1
    near.resetAndDestroy()
    far?.resetAndDestroy()
  }

  const server = createServer({ noDelay: true }, (near) => {
    attempts += 1
    // What a reset is for whoever is reset.
    near.on('error', () => undefined)
    if (isHeld) return void held.add(near)
    if (isDown) return reset(near, undefined)
    const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true })
    open.set(near, far)
    let isAnswerLost = false
    near.on('data', (message) => {
      if (silent.has(near)) return
      const cut = proxy.cutAt(message, near)
      if (cut === 'unsent') return reset(near, far)
      isAnswerLost ||= cut === 'unanswered'
      far.write(message)
    })
    far.on('data', (answer) => {
      if (silent.has(near)) return
      if (isAnswerLost) reset(near, far)
      else near.write(answer)
    })
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => {
      open.delete(near)
      far.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const proxy: PostgresProxy = {
    through: (url) => {
      const address = new URL(url)
      address.host = `127.0.0.1:${port}`
      return address.href
    },
    cutAt: () => undefined,
    silence: () => {
      for (const near of open.keys()) silent.add(near)
    },
    cutAll: () => {
      isDown = true
      isHeld = false
      for (const near of held) reset(near, undefined)
      held.clear()
      for (const [near, far] of open) reset(near, far)
    },
    restore: () => {
      isDown = false
    },
    holdNew: () => {
      isHeld = true
    },
    get attempts() {
      return attempts
    },
    get cuts() {
      return cuts
    },
    close: async () => {
      proxy.cutAll()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
