import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type ForwardedPort = {
  port: number
  /** Port that connections are forwarded to; they are refused while it is undefined. */
  target: number | undefined
  close: () => Promise<void>
}

/**
 * A port that stays while the server behind it is started again, on any port: its own might belong to
 * somebody else by then.
 */
export async function forwardPort(): Promise<ForwardedPort> {
  const options = { allowHalfOpen: true, noDelay: true }
  const open = new Set<Socket>()
  const server = createServer(options, (near) => {
    near.on('error', () => undefined)
    if (forwarded.target === undefined) return void near.resetAndDestroy()
    open.add(near)
    const far = connect({ ...options, host: '127.0.0.1', port: forwarded.target })
    far.on('error', () => near.resetAndDestroy())
    // What was said before is still heard.
    far.on('close', () => near.destroySoon())
    near.on('close', () => {
      open.delete(near)
      far.destroy()
    })
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const forwarded: ForwardedPort = {
    port: (server.address() as AddressInfo).port,
    target: undefined,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const near of open) near.destroy()
      await closed
    },
  }
  return forwarded
}
