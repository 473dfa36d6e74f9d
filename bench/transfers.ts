import { execFileSync } from 'node:child_process'
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer, type SignedInServer } from './signed-in-server.ts'

/** `TRANSFER_ROWS=3000000 npm run bench transfers` for the goal on memory. */
export const rowCount = Number(process.env['TRANSFER_ROWS'] ?? 1_000_000)
const memoryMax = 200 * 1024 ** 2

export const names = ['name', 'country', 'population', 'latitude', 'longitude', 'code', 'number']

/** Rows like those of cities: some values come again and again, some never do. */
export const rowOf = (row: number) => [
  `City ${row}`,
  `${row % 250}`,
  `${row * 7}`,
  `${row / 1000}`,
  `${row / -777}`,
  'PPL',
  `${1_000_000 + row}`,
]

/** Files of rows in and out, beside the sqlite3 shell with the same rows; the shell has to be installed. */
export const transfers: Measurement = {
  name: 'transfers',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-transfers-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const signedIn = opened.use(await startSignedInServer(await engine.newDatabase()))
    const { server, token } = signedIn
    const client = createClient({ baseUrl: server.url, token: () => token })
    const csv = join(folder, 'rows.csv')
    const ndjson = join(folder, 'rows.ndjson')
    writeRows(csv, [names.join(',')], (row) => rowOf(row).join(','))
    writeRows(ndjson, [], (row) =>
      JSON.stringify(Object.fromEntries(rowOf(row).map((value, at) => [names[at], value]))),
    )
    const database = join(folder, 'shell.db')
    const shell = (...args: string[]) =>
      rate(() => void execFileSync('sqlite3', args, { stdio: 'ignore', cwd: folder }))
    const imported = await shell(database, '.mode csv', '.import rows.csv rows')

    const figures: Figure[] = []
    const note = (what: string, value: number, shellRate: number, atLeast: number) => {
      const limit = { what: 'sqlite3', value: shellRate }
      figures.push({ what, value, unit: 'rows/s', limit, goal: { atLeast } })
      const memory = { what: `${what}: most memory`, value: server.peakMemory(), unit: 'bytes' }
      figures.push({ ...memory, goal: { atMost: memoryMax } })
    }
    for (const [format, file] of [
      ['csv', csv],
      ['ndjson', ndjson],
    ] as const) {
      server.resetPeak()
      const importing = await rate(() => importFile(client, { format, file }))
      note(`import of ${rowCount} rows of ${format}`, importing, imported, 1 / 4)
    }
    for (const [format, mode] of [
      ['csv', '-csv'],
      ['ndjson', '-json'],
    ] as const) {
      const written = await shell(mode, database, 'select * from rows')
      server.resetPeak()
      const exporting = await rate(() => exportAll(signedIn, format))
      note(`export of ${rowCount} rows of ${format}`, exporting, written, 1)
    }
    return figures
  },
}

export function writeRows(file: string, head: string[], lineOf: (row: number) => string): void {
  writeFileSync(file, head.map((line) => `${line}\n`).join(''))
  const batch = 100_000
  for (let from = 0; from < rowCount; from += batch) {
    const lines = Array.from({ length: Math.min(batch, rowCount - from) }, (_, at) =>
      lineOf(from + at),
    )
    writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'a' })
  }
}

/** Rows a second. */
async function rate(work: () => void | Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (rowCount / (performance.now() - began)) * 1000
}

export async function importFile(
  client: Client,
  { format, file }: { format: 'csv' | 'ndjson'; file: string },
): Promise<void> {
  const schema = names.map((name) => ({ name, type: 'string', length: 100 }))
  await client.repoCreate({ body: { name: format, schema } })
  const key = { datasetId: format, importKey: 'rows' }
  const body = await openAsBlob(file)
  let state = await client.importBegin({ datasetId: format, format, key: 'rows', wait: 60, body })
  while (state.state === 'checking' || state.state === 'publishing') {
    state = await client.importGet({ ...key, wait: 60 })
  }
  if (state.state !== 'done') throw new Error(`the import has ended as ${state.state}`)
}

export async function exportAll({ server, token }: SignedInServer, format: string): Promise<void> {
  const url = `${server.url}/api/dataset/csv/export?format=${format}`
  const { body } = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  // Passed over as it comes.
  for await (const _ of body!);
}
