import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@vitrine/client'
import type { Figure, Measurement } from './measurement.ts'
import { pageLatencies } from './page-latencies.ts'
import { startSignedInServer, type SignedInServer } from './signed-in-server.ts'
import { importFile, names, rowCount, rowOf, writeRows } from './transfers.ts'

const idleMs = 10_000
/** Exports go on for so long, one after the other: one alone is too short for its slowest pages. */
const exportingMs = 10_000

/** How long others wait for a page while rows go in and out, beside how long when nothing does. */
export const transferLatency: Measurement = {
  name: 'transfer-latency',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-transfers-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const database = await engine.filledDatabase(opened)
    const signedIn = opened.use(await startSignedInServer(database))
    const { server, token } = signedIn
    const client = createClient({ baseUrl: server.url, token: () => token })
    const file = join(folder, 'rows.csv')
    writeRows(file, [names.join(',')], (row) => rowOf(row).join(','))

    // Once before, so that the server's code is compiled.
    await pageLatencies(signedIn, () => sleep(idleMs))
    const idle = p99(await pageLatencies(signedIn, () => sleep(idleMs)))
    const exportOften = async (format: string) => {
      const began = performance.now()
      while (performance.now() - began < exportingMs) await discardExport(signedIn, format)
    }
    const work = {
      [`the import of ${rowCount} rows of csv`]: () => importFile(client, { format: 'csv', file }),
      // The log of the rows, which exports would wait beside, is brought up to date once they are there.
      'what follows an import': () => client.logCheckpoint({ datasetId: 'csv' }),
      [`exports of ${rowCount} rows as csv`]: () => exportOften('csv'),
      [`exports of ${rowCount} rows as parquet`]: () => exportOften('parquet'),
    }
    const figures: Figure[] = [{ what: 'a page, p99, nothing else', value: idle, unit: 'ms' }]
    for (const [what, transfer] of Object.entries(work)) {
      figures.push({
        what: `a page, p99, during ${what}`,
        value: p99(await pageLatencies(signedIn, transfer)),
        unit: 'ms',
        limit: { what: 'nothing else', value: idle },
        goal: { atMost: 2 },
      })
    }
    return figures
  },
}

/** Exports by curl: to take in so much, Node needs as much of two processors as the server needs to send it. */
async function discardExport({ server, token }: SignedInServer, format: string): Promise<void> {
  const url = `${server.url}/api/dataset/csv/export?format=${format}`
  const header = `authorization: Bearer ${token}`
  await promisify(execFile)('curl', ['-sf', '-o', '/dev/null', '-H', header, url])
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!
}
