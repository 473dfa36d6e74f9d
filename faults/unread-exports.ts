import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openInstallation } from './installation.ts'
import { importRows, rows } from './ledger.ts'
import type { Scenario } from './scenario.ts'
import { prepare } from './workload.ts'

const megabyte = 1_000_000
const exportsAtOnce = 60
/** Megabytes of resident memory that a process may take (docs/operating.md). */
const boundMb = 320

/** Opens many exports that nobody reads, and closes them. */
export const unreadExports: Scenario = {
  name: 'unread-exports',
  open: async (opened) => {
    const installation = await openInstallation(opened)
    await installation.start()
    const client = installation.patientClient()
    await prepare(client)
    const lines = Array.from(
      { length: 300_000 },
      (_, row) => `a row of some text, and its number ${row}`,
    )
    await importRows(client, 'seed', lines)
    const token = await client.options.token()
    const [server] = installation.processes
    let startMb: number | undefined
    return async () => {
      startMb ??= server!.memory() / megabyte
      const url = `${server!.url}/api/dataset/${rows}/export?format=ndjson`
      const open: IncomingMessage[] = []
      let peakMb = 0
      const note = () => {
        peakMb = Math.max(peakMb, server!.memory() / megabyte)
      }
      for (let count = 0; count < exportsAtOnce; count += 1) {
        const request = get(url, { headers: { authorization: `Bearer ${token}` }, agent: false })
        request.on('error', () => {})
        request.on('response', (response) => {
          response.pause()
          open.push(response)
        })
        note()
        opened.defer(() => void request.destroy())
      }
      for (let second = 0; second < 20; second += 1) {
        await sleep(1000)
        note()
      }
      for (const response of open) response.destroy()
      await sleep(10_000)
      const endMb = server!.memory() / megabyte
      console.log(
        `  ${open.length} of ${exportsAtOnce} open: ${startMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} at most, ${endMb.toFixed(0)} after`,
      )
      return { 'unread exports': exportsAtOnce, 'over the bound': Number(peakMb > boundMb) }
    }
  },
}
