import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { importRows, rows } from './ledger.ts'
import { openPrepared } from './prepared.ts'
import type { Scenario } from './scenario.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { work } from './workload.ts'

const exportsAtOnce = 60
const rowsBefore = 300_000

/**
 * Begins many exports that nobody reads, works beside them, and reads some of them to the end at last.
 * What they take of memory is measured by `npm run bench -- unread-exports`.
 */
export const unreadExports: Scenario = {
  name: 'unread-exports',
  open: async (opened) => {
    const { installation, ledger } = await openPrepared(opened)
    const lines = Array.from({ length: rowsBefore }, (_, row) => `row ${row} of what is exported`)
    ledger.imports.set('before', lines)
    await importRows(installation.patientClient(), 'before', lines)
    ledger.importDone('before')
    return async () => {
      const client = installation.patientClient()
      const token = await client.options.token()
      const url = `${client.options.baseUrl}/api/dataset/${rows}/export?format=ndjson`
      const before = await client.datasetCount({ datasetId: rows })
      const unread = await Promise.all(
        Array.from({ length: exportsAtOnce }, () => begin(url, String(token))),
      )
      const load = work(installation, ledger)
      await sleep(3000)
      await load.stop()
      const refused = Object.entries(load.refusals).filter(([status]) => Number(status) >= 500)
      const [first, second, ...others] = unread
      for (const response of others) response.destroy()
      const lengths = await Promise.all([first!, second!].map(countLines))
      const after = await client.datasetCount({ datasetId: rows })
      const isWhole = (length: number) => length >= before.totalItems && length <= after.totalItems
      await installation.kill()
      const damage = await countDamage(installation)
      const settled = await settleAndCompare(installation, ledger)
      const counts = {
        'exports that nobody reads': others.length,
        'exports read late': lengths.length,
        'exports cut short': lengths.filter((length) => !isWhole(length)).length,
        'replies of 5xx': refused.reduce((sum, [, count]) => sum + count, 0),
      }
      return add(counts, damage, settled)
    }
  },
}

function begin(url: string, token: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { authorization: `Bearer ${token}` }
  get(url, { headers, agent: false }, resolve).on('error', reject)
  return promise
}

/** Lines of a response; -1 where it breaks off. */
async function countLines(response: IncomingMessage): Promise<number> {
  let lines = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
    }
    return lines
  } catch {
    return -1
  }
}
