import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { type WriteStream, createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import {
  type BundledRepo,
  type Client,
  type Row,
  bundledCorrections,
  bundledEntries,
  importFile,
  rowsOf,
} from '@vitrine/client'
import { limits } from '@vitrine/contract'
import { tarEnd, tarHeader, tarPadding } from '../command/tar-parts.ts'
import type { ZipArchive } from './zip-archive.ts'

/** Entries that are sent at once, in bytes, before the last one. */
const batchBytes = limits.originBytes / 4

/** New ids of items by those that they had. */
export type NewIds = Map<number, number>

export type ItemsImport = {
  dataset: BundledRepo
  /** The repository to import into. */
  name: string
  /** The ids of the items of a dataset; those of the repository are added. */
  idsOf: (dataset: string) => NewIds
  /** By which what the log says of the items is signed; undefined where the server keeps no origins. */
  key: string | undefined
  /** Whether items that correct others of the bundle do so here. */
  isCorrecting: boolean
  onItems: (items: number) => void
  signal: AbortSignal
}

/**
 * Imports the items of a repository of a bundle, in their order. They are one import, unless items refer to others of the
 * same repository, or correct them: what these are called is known once they are there.
 * @throws ApiError
 */
export async function importBundledItems(
  client: Client,
  archive: ZipArchive,
  { dataset, name, idsOf, key, isCorrecting, onItems, signal }: ItemsImport,
): Promise<void> {
  const { description } = dataset
  const own = idsOf(description.name)
  // What a row that replaces an item does not name would be as it is in that.
  const absent = Object.fromEntries(description.schema.map((field) => [field.name, null]))
  const hasFiles = description.schema.some(({ type }) => type === 'binary')
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bundle-'))
  const path = join(folder, 'rows.ndjson')
  let spooled = new SpooledRows(path)
  const flush = async () => {
    if (spooled.ids.length === 0) return
    const { items } = await importFile(
      client,
      name,
      hasFiles ? archiveOf(spooled, archive) : spooled.read(),
      { format: hasFiles ? 'tar' : 'ndjson', ...(spooled.isCorrecting && matching), signal },
    )
    if (items === undefined || items.to - items.from < spooled.ids.length) {
      throw new Error('the server has left out rows of a bundle')
    }
    for (const [at, id] of spooled.ids.entries()) own.set(id, items.firstId + at)
    if (key !== undefined) {
      const { checkpoint } = dataset
      await addOrigins(client, name, { ...items, entries, checkpoint, key, signal })
    }
    onItems(own.size)
    spooled = new SpooledRows(path)
  }
  const waiting = new Set<number>()
  const entries = bundledEntries(archive, description.name)
  const corrections = isCorrecting ? bundledCorrections(archive, description.name) : undefined
  try {
    for await (const row of rowsOf(await archive.open(`items/${description.name}.ndjson`))) {
      signal.throwIfAborted()
      const id = Number(row['id'])
      const refersToWaiting = description.schema.some(
        (field) =>
          field.type === 'reference' &&
          idsOf(field.target) === own &&
          waiting.has(Number(row[field.name])),
      )
      const { replaces, withdraws } = (await corrections?.next())?.value ?? {}
      const targetId = replaces ?? withdraws
      if (refersToWaiting || (targetId !== undefined && waiting.has(targetId))) {
        await flush()
        waiting.clear()
      }
      const { values, files } = importedRow(row, { dataset, idsOf })
      const newTargetId = targetId === undefined ? undefined : own.get(targetId)
      if (newTargetId === undefined) {
        await spooled.add(values, { id, files })
      } else {
        const column = replaces === undefined ? 'id.withdraws' : 'id.replaces'
        const correction = { [column]: newTargetId, 'id.reason': row['id.reason'] }
        await spooled.add({ ...absent, ...values, ...correction }, { id, files })
        spooled.isCorrecting = true
      }
      waiting.add(id)
    }
    await flush()
  } finally {
    await entries.return()
    await corrections?.return()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Options of an import whose rows correct items; a bundle of before there were reasons in it has none. */
const matching = { match: ['id.replaces'], reason: 'as in the bundle that it comes from' }

/** Says of imported items where they come from. */
async function addOrigins(
  client: Client,
  datasetId: string,
  {
    from,
    to,
    entries,
    checkpoint,
    key,
    signal,
  }: {
    from: number
    to: number
    /** Log entries of these items and those that follow. */
    entries: AsyncGenerator<string>
    checkpoint: string
    key: string
    signal: AbortSignal
  },
): Promise<void> {
  for (let at = from; at < to;) {
    const some: string[] = []
    let bytes = 0
    while (at + some.length < to && some.length < limits.originEntries && bytes < batchBytes) {
      const { value } = await entries.next()
      if (value === undefined) throw new Error('the bundle has fewer entries than items')
      some.push(value)
      bytes += Buffer.byteLength(value)
    }
    const body = { from: at, checkpoint, key, entries: some }
    await client.originAdd({ datasetId, body }, { signal })
    at += some.length
  }
}

/** A row as it is imported: values with their digests, references to items by their new ids, files by their paths. */
function importedRow(
  row: Row,
  { dataset, idsOf }: Pick<ItemsImport, 'dataset' | 'idsOf'>,
): { values: Row; files: string[] } {
  const values: Row = {}
  const files: string[] = []
  for (const field of dataset.description.schema) {
    const { name } = field
    const value = row[name]
    if (value === undefined) continue
    if (field.type === 'reference') {
      values[name] = idsOf(field.target).get(Number(value))
      continue
    }
    values[`${name}.sha256`] = row[`${name}.sha256`]
    if (field.type === 'binary') {
      const sha256 = value as string
      files.push(sha256)
      values[name] = pathOf(sha256)
      values[`${name}.mime`] = row[`${name}.mime`]
    } else {
      values[name] = value
    }
  }
  return { values, files }
}

const pathOf = (sha256: string) => `files/${sha256}`

/** Rows and the files that they name as a tar archive. */
async function* archiveOf(rows: SpooledRows, archive: ZipArchive): AsyncGenerator<Uint8Array> {
  yield tarHeader('rows.ndjson', rows.bytes)
  yield* rows.read()
  yield tarPadding(rows.bytes)
  for (const sha256 of rows.files) {
    const path = pathOf(sha256)
    const size = archive.sizeOf(path)
    yield tarHeader(path, size)
    yield* (await archive.open(path)) as AsyncIterable<Uint8Array>
    yield tarPadding(size)
  }
  yield tarEnd
}

/** Rows in a file of this computer until they are imported, as how long they are has to be known before. */
class SpooledRows {
  /** The ids that the rows had. */
  ids: number[] = []
  /** Whether some of them correct items. */
  isCorrecting = false
  /** The digests of the files that they name. */
  files = new Set<string>()
  bytes = 0
  readonly #path: string
  #file: WriteStream | undefined

  constructor(path: string) {
    this.#path = path
  }

  async add(row: object, { id, files }: { id: number; files: readonly string[] }): Promise<void> {
    this.#file ??= createWriteStream(this.#path)
    const line = Buffer.from(`${JSON.stringify(row)}\n`)
    this.ids.push(id)
    for (const sha256 of files) this.files.add(sha256)
    this.bytes += line.length
    if (!this.#file.write(line)) await once(this.#file, 'drain')
  }

  /** Reads what was added, after which nothing is. */
  async *read(): AsyncGenerator<Uint8Array> {
    this.#file!.end()
    await finished(this.#file!)
    yield* createReadStream(this.#path) as AsyncIterable<Uint8Array>
  }
}
