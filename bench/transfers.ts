import { execFileSync } from 'node:child_process'
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createClient, type Client } from '@vitrine/client'
import type { ImportFormat } from '@vitrine/contract'
import type { Figure, Measurement } from './measurement.ts'
import { passOver } from './pass-over.ts'
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
    const kept = { dataDir: join(folder, 'data') }
    mkdirSync(kept.dataDir)
    const database = await engine.newDatabase()
    /** On a server that has done nothing else: what was in memory before counts for nothing. */
    const onNewServer = async (work: (signedIn: SignedInServer) => Promise<void>) => {
      await using signedIn = await startSignedInServer(database, kept)
      await work(signedIn)
    }
    const csv = join(folder, 'rows.csv')
    const ndjson = join(folder, 'rows.ndjson')
    writeRows(csv, [names.join(',')], (row) => rowOf(row).join(','))
    writeRows(ndjson, [], (row) =>
      JSON.stringify(Object.fromEntries(rowOf(row).map((value, at) => [names[at], value]))),
    )
    const shellDatabase = join(folder, 'shell.db')
    const shell = (...args: string[]) =>
      rate(() => void execFileSync('sqlite3', args, { stdio: 'ignore', cwd: folder }))

    const figures: Figure[] = []
    const measure = async (what: string, transfer: Transfer, shellGoal?: Bound) => {
      let rowsPerSecond = 0
      let memory = 0
      await onNewServer(async (signedIn) => {
        signedIn.server.resetPeak()
        rowsPerSecond = await rate(() => transfer(signedIn))
        memory = signedIn.server.peakMemory()
      })
      const figure = { what: `${what} of ${rowCount} rows`, value: rowsPerSecond, unit: 'rows/s' }
      figures.push({ ...figure, ...shellGoal })
      const peak = { what: `${figure.what}: most memory`, value: memory, unit: 'bytes' }
      figures.push({ ...peak, goal: { atMost: memoryMax } })
    }
    const bound = (value: number, atLeast: number): Bound => {
      return { limit: { what: 'sqlite3', value }, goal: { atLeast } }
    }
    const imported = await shell(shellDatabase, '.mode csv', '.import rows.csv rows')
    for (const [format, file] of [
      ['csv', csv],
      ['ndjson', ndjson],
    ] as const) {
      const transfer: Transfer = (signedIn) => importFile(clientOf(signedIn), { format, file })
      await measure(`import as ${format}`, transfer, bound(imported, 1 / 4))
    }
    for (const [format, mode] of [
      ['csv', '-csv'],
      ['ndjson', '-json'],
    ] as const) {
      const written = await shell(mode, shellDatabase, 'select * from rows')
      await measure(`export as ${format}`, (to) => exportAll(to, format), bound(written, 1))
    }
    for (const format of ['parquet', 'zip'] as const) {
      const file = join(folder, `rows.${format}`)
      await measure(`export as ${format}`, (signedIn) => exportAll(signedIn, format, file))
      await measure(`import as ${format}`, (signedIn) =>
        importFile(clientOf(signedIn), { format, file }),
      )
    }
    return figures
  },
}

type Transfer = (signedIn: SignedInServer) => Promise<void>

type Bound = Required<Pick<Figure, 'limit' | 'goal'>>

const clientOf = ({ server, token }: SignedInServer): Client =>
  createClient({ baseUrl: server.url, token: () => token })

export function writeRows(
  file: string,
  head: string[],
  lineOf: (row: number) => string,
  count = rowCount,
): void {
  writeFileSync(file, head.map((line) => `${line}\n`).join(''))
  const batch = 100_000
  for (let from = 0; from < count; from += batch) {
    const lines = Array.from({ length: Math.min(batch, count - from) }, (_, at) =>
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
  { format, file, name = format }: { format: ImportFormat; file: string; name?: string },
): Promise<void> {
  const schema = names.map((field) => ({ name: field, type: 'string', length: 100 }))
  await client.repoCreate({ body: { name, schema } })
  const key = { datasetId: name, importKey: 'rows' }
  const body = await openAsBlob(file)
  let state = await client.importBegin({ datasetId: name, format, key: 'rows', wait: 60, body })
  while (state.state === 'checking' || state.state === 'publishing') {
    state = await client.importGet({ ...key, wait: 60 })
  }
  if (state.state !== 'done') throw new Error(`the import has ended as ${state.state}`)
}

/** Passes over what comes, or keeps it in a file. */
export async function exportAll(
  { server, token }: SignedInServer,
  format: string,
  file?: string,
): Promise<void> {
  const path = `/api/dataset/csv/export?format=${format}`
  if (file === undefined) return passOver(server.port, path, token)
  const { body } = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
  await pipeline(Readable.fromWeb(body as never), createWriteStream(file))
}
