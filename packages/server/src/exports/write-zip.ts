import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type DatasetInfo, type Exploration, extensionOf } from '@vitrine/contract'
import { parseRowLists, toRowLists } from '@vitrine/rows/write/row-lists'
import { reportDamage } from '../blobs/read-blob.ts'
import type { Snapshot, SnapshotRows } from '../reading/snapshot.ts'
import {
  type BinaryCells,
  type ExportColumn,
  exportColumns,
  toWritten,
  withFiles,
} from './export-column.ts'
import type { ExportContext } from './export-context.ts'
import { describeRows } from './croissant.ts'
import { putSeals } from './put-seals.ts'
import { writeRows } from './write-rows.ts'

type File = { sha256: string; size: number }

/**
 * Writes a zip archive of the rows, the files that they name under their digests, the description of the
 * dataset, what of it is in Croissant, and a manifest of digests. An import takes it as it is. A damaged file
 * breaks the archive off, as its headers are gone by then.
 */
export async function* writeZip(
  {
    snapshot,
    context,
    info,
    hidden,
  }: {
    snapshot: Snapshot
    context: ExportContext
    info: DatasetInfo
    hidden: ReadonlySet<string>
  },
  {
    from,
    to,
    integrity,
    ...exploration
  }: Exploration & { from: number; to: number; integrity: boolean },
): AsyncGenerator<Uint8Array> {
  const files = new Map<string, File>()
  const columns = exportColumns(snapshot.fields, { integrity })
  const { read, binaries } = withFiles(snapshot, columns)
  const rows = { sha256: '', size: 0 }
  const { default: yazl } = await import('yazl')
  const zip = new yazl.ZipFile()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  zip.on('error', (error) => {
    void reportDamage(context, error)
    failed.reject(error)
  })

  const windows = async function* () {
    const sealed = putSeals(snapshot.read(to, read), { context, info, hidden, columns })
    for await (const window of sealed) {
      yield binaries.length === 0 ? window : putPaths(window, { columns, binaries, files })
    }
  }
  const source = async function* () {
    const hash = createHash('sha256')
    const format = { kind: 'ndjson', columns: toWritten(columns) } as const
    for await (const bytes of writeRows(format, { windows: windows(), count: to - from })) {
      hash.update(bytes)
      rows.size += bytes.length
      yield bytes
    }
    rows.sha256 = hash.digest('hex')
  }
  let file: Readable | undefined
  let isLeft = false
  const openFile = async (bytes: File) => {
    file = await context.blobs.open(bytes)
    if (isLeft) file.destroy()
    return file
  }
  const addRest = () => {
    for (const [path, { sha256, size }] of files) {
      zip.addReadStreamLazy(path, { compress: false, size }, (add) => {
        void openFile({ sha256, size }).then(
          (stream) => add(null, stream),
          (error: unknown) => add(error, Readable.from([])),
        )
      })
    }
    const croissant = describeRows(info, { rows, contentUrl: 'rows.ndjson', columns }, exploration)
    zip.addBuffer(json(info.repo ?? info.view), 'description.yaml')
    zip.addBuffer(json(croissant), 'croissant.json')
    zip.addBuffer(json(manifest(rows, files)), 'manifest.json')
    zip.end()
  }
  const rowsStream = Readable.from(source(), { objectMode: false })
  rowsStream.once('end', addRest)
  rowsStream.on('error', failed.reject)
  zip.addReadStream(rowsStream, 'rows.ndjson')

  const output = (zip.outputStream as Readable)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([output.next(), failed.promise])
      if (next.done === true) return
      yield next.value as Uint8Array
    }
  } finally {
    // The archive closes nothing of what it is made of when its reader leaves.
    isLeft = true
    rowsStream.destroy()
    file?.destroy()
  }
}

/** Puts the paths of binaries in the place of their digests, and notes the files. */
function putPaths(
  window: SnapshotRows,
  {
    columns,
    binaries,
    files,
  }: {
    columns: readonly ExportColumn[]
    binaries: readonly BinaryCells[]
    files: Map<string, File>
  },
): SnapshotRows {
  const rows = parseRowLists(window)
  for (const row of rows) {
    for (const { at, mimeAt, sizeAt } of binaries) {
      if (row[at] === null) continue
      const sha256 = String(row[at])
      const path = `files/${sha256}.${extensionOf(String(row[mimeAt]))}`
      files.set(path, { sha256, size: row[sizeAt] as number })
      row[at] = path
    }
    row.length = columns.length
  }
  return toRowLists(rows)
}

function manifest(rows: File, files: ReadonlyMap<string, File>) {
  const listed = [...files].map(([path, file]) => ({ path, ...file }))
  return { files: [{ path: 'rows.ndjson', ...rows }, ...listed] }
}

/** JSON is YAML too. */
function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
