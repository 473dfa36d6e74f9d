import type * as Server from '@vitrine/server'
import { patient } from '../packages/server/test/patient.ts'

/** Server as it is built, which is what people run. */
const { readConfig, startServer } = (await import(
  new URL('../packages/server/dist/start.js', import.meta.url).href
)) as typeof Server

/** Message to the parent process once the server answers. */
export type Ready = { url: string; port: number }

/** A test may ask for views that reply before they have looked at anything. */
const hasty = process.env['E2E_HASTY_VIEWS'] === '1'
const server = await startServer(readConfig(process.env), {
  ...patient,
  ...(hasty && { viewBudgets: { ...patient.viewBudgets!, partial: 0 } }),
})
process.send!({ url: server.url, port: server.port } satisfies Ready)

const stop = () => {
  process.off('SIGTERM', stop).off('disconnect', stop)
  if (process.connected) process.disconnect()
  void server.close()
}
// Also when the test runner is gone, however it went.
process.on('SIGTERM', stop).on('disconnect', stop)
