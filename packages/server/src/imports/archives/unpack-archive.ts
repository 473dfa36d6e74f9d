// Runs on the main thread.

import type { Readable } from 'node:stream'
import { limits, quote } from '@vitrine/contract'
import { UnreadableFile } from '@vitrine/rows/row-batch'
import { toUtf8 } from '@vitrine/rows/text/detect-encoding'
import type { ReceivedBlob } from '../../blobs/blobs.ts'
import { Failure } from '../../failure.ts'
import { exposeBlobs } from '../../blobs/expose-blobs.ts'
import { type ImportBlob, insertImportBlobs } from '../../store/import-blobs.ts'
import type { Lease } from '../../store/leases.ts'
import type { ImportContext } from '../import-context.ts'
import { type ImportedFile, Incoming, malformed, partBytes } from '../import-file.ts'
import { mapInOrder } from '../in-order.ts'
import type { RowsFormat } from '../open-rows.ts'
import { type ArchiveEntry, isLeftover, refuseName } from './archive-entry.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

const rowsNames: Record<string, RowsFormat> = {
  'rows.ndjson': 'ndjson',
  'rows.json': 'json',
  'rows.csv': 'csv',
  'rows.tsv': 'tsv',
  'rows.parquet': 'parquet',
  'rows.xlsx': 'xlsx',
}

/** Files unpacked side by side, and exposed in one write. */
const concurrency = 8
const exposedAtOnce = 64

const readers = { zip: readZip, tar: readTar }

/**
 * Unpacks an archive: each file becomes a blob that the import holds by its name, its rows parts of a file.
 * @returns how the rows are written
 * @throws Failure IMPORT_MALFORMED, CONTENT_TOO_LARGE, STORAGE_FULL
 */
export async function unpackArchive(
  context: ImportContext,
  {
    importId,
    file,
    format,
    encoding,
    lease,
  }: {
    importId: number
    file: ImportedFile
    format: 'zip' | 'tar'
    /** Encoding of the rows, where it is not UTF-8. */
    encoding?: string | undefined
    lease: Lease
  },
): Promise<RowsFormat> {
  const rows = await findRows(readers[format](file), lease)
  const isText = rows.format !== 'parquet' && rows.format !== 'xlsx'
  await keepRows(context, importId, {
    entry: rows.entry,
    kind: rows.format === 'xlsx' ? 'workbook' : 'rows',
    encoding: isText ? encoding : undefined,
    lease,
  })
  let batch: { name: string; blob: ReceivedBlob }[] = []
  /** Also those that are never taken from `received`, as one before them is refused. */
  const held = new Set<ReceivedBlob>()
  let start = 0
  const expose = async () => {
    const leases = batch.map(({ name, blob: { sha256, size } }, index): ImportBlob => {
      return { kind: 'file', start: start + index, name, sha256, size }
    })
    const blobs = batch.map(({ blob }) => blob)
    await exposeBlobs(context.store, blobs, (transaction) =>
      insertImportBlobs(transaction, importId, leases),
    )
    start += batch.length
    batch = []
    await Promise.all(blobs.map((blob) => blob.discard()))
    for (const blob of blobs) held.delete(blob)
  }
  try {
    const others = without(readers[format](file), rows.entry.name)
    const received = mapInOrder(others, concurrency, async (entry) => {
      const blob = await receive(context, { entry, lease })
      held.add(blob)
      return blob
    })
    for await (const {
      value: { name },
      result: blob,
    } of received) {
      batch.push({ name: within(rows.folder, name), blob })
      lease.check()
      if (batch.length === exposedAtOnce) await expose()
    }
    await expose()
  } finally {
    for (const blob of held) await blob.discard()
  }
  return rows.format
}

function within(folder: string, name: string): string {
  return name.startsWith(folder) ? name.slice(folder.length) : name
}

type Rows = { entry: ArchiveEntry; format: RowsFormat }

/** Looks at all names before anything is unpacked. The rows may stand in the one folder that all is in. */
async function findRows(
  entries: AsyncIterable<ArchiveEntry>,
  lease: Lease,
): Promise<Rows & { /** With a slash at its end, or ''. */ folder: string }> {
  const names = new Set<string>()
  const byFolder = new Map<string, Rows[]>()
  for await (const entry of entries) {
    lease.check()
    const { name } = entry
    if (isLeftover(name)) continue
    if (names.size === limits.archiveFiles) {
      throw malformed(`has more than ${limits.archiveFiles} files`)
    }
    const reason = refuseName(name) ?? (names.has(name) ? 'is there twice' : undefined)
    if (reason !== undefined) throw malformed(`the entry ${quote(name)} ${reason}`)
    names.add(name)
    const folder = name.slice(0, name.indexOf('/') + 1)
    const inFolder = name.slice(folder.length)
    const format = Object.hasOwn(rowsNames, inFolder) ? rowsNames[inFolder] : undefined
    if (format !== undefined)
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), { entry, format }])
  }
  const folders = new Set(Iterator.from(names).map((name) => name.slice(0, name.indexOf('/') + 1)))
  const [only = ''] = folders.size === 1 ? folders : []
  const folder = byFolder.has('') ? '' : only
  const [rows, another] = byFolder.get(folder) ?? []
  if (rows === undefined) {
    throw malformed(`there is none of ${Object.keys(rowsNames).join(', ')} at its top`)
  }
  if (another !== undefined) {
    const both = `${quote(rows.entry.name)} and ${quote(another.entry.name)}`
    throw malformed(`there are ${both}: one is enough`)
  }
  return { ...rows, folder }
}

async function* without(
  entries: AsyncIterable<ArchiveEntry>,
  name: string,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    if (entry.name !== name && !isLeftover(entry.name)) yield entry
  }
}

async function receive(
  { blobs, maxBytes }: ImportContext,
  { entry: { name, open }, lease }: { entry: ArchiveEntry; lease: Lease },
): Promise<ReceivedBlob> {
  try {
    return await blobs.receive(whileHeld(await open(), lease), { maxBytes })
  } catch (error) {
    lease.check()
    throw explain(error, name)
  }
}

/** Keeps a file that was packed, or is in another encoding, as parts of a file: of rows unless said otherwise. */
export async function keepRows(
  context: ImportContext,
  importId: number,
  {
    entry,
    encoding,
    lease,
    kind = 'rows',
  }: {
    entry: ArchiveEntry
    encoding?: string | undefined
    lease: Lease
    kind?: 'rows' | 'tar' | 'workbook'
  },
): Promise<void> {
  const { store, blobs, maxBytes } = context
  const bytes = await entry.open()
  const text = encoding === undefined ? bytes : toUtf8(bytes as AsyncIterable<Buffer>, encoding)
  const incoming = new Incoming(whileHeld(text, lease), 0)
  let start = 0
  while (await incoming.hasMore()) {
    const blob = await blobs.receive(incoming.next(partBytes), { maxBytes })
    try {
      const { sha256, size } = blob
      await exposeBlobs(store, [blob], (transaction) =>
        insertImportBlobs(transaction, importId, [{ kind, start, name: null, sha256, size }]),
      )
    } finally {
      await blob.discard()
    }
    start += blob.size
  }
  lease.check()
  if (incoming.failure !== undefined) throw explain(incoming.failure, entry.name)
}

/** Bytes of an entry, which may be many, until the import is to stop. */
async function* whileHeld(
  bytes: AsyncIterable<Uint8Array> | Readable,
  lease: Lease,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    lease.check()
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  }
}

/** Turns an error of unpacking into a refusal of the archive, unless it is a refusal already. */
function explain(error: unknown, name: string): unknown {
  if (error instanceof UnreadableFile) return malformed(error.message)
  if (error instanceof Failure || !(error instanceof Error)) return error
  const { code } = error as NodeJS.ErrnoException
  const isOurs = code !== undefined && !code.startsWith('Z_')
  return isOurs ? error : malformed(`the entry ${quote(name)} cannot be read: ${error.message}`)
}
