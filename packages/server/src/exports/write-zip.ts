import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { DatasetInfo } from '@vitrine/contract'
import type { Blobs } from '../blobs/blobs.ts'
import { extensionOf } from '../formats/extensions.ts'
import type { Snapshot, SnapshotRow } from '../views/snapshot.ts'
import { exportColumns, type ExportColumn } from './export-row.ts'
import { describeRows } from './croissant.ts'
import { prepareNdjson } from './write-ndjson.ts'

type File = { sha256: string; size: number }

/**
 * Writes a zip archive of the rows, the files that they name under their digests, the description of the
 * dataset, what of it is in Croissant, and a manifest of digests. An import takes it as it is.
 */
export async function* writeZip(
  { snapshot, blobs, info }: { snapshot: Snapshot; blobs: Blobs; info: DatasetInfo },
  { to, integrity }: { to: number; integrity: boolean },
): AsyncGenerator<Uint8Array> {
  const files = new Map<string, File>()
  const columns = zipColumns(snapshot, integrity)
  const rows = { sha256: '', size: 0 }
  const { default: yazl } = await import('yazl')
  const zip = new yazl.ZipFile()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  zip.on('error', failed.reject)

  const write = prepareNdjson(columns)
  const source = async function* () {
    const hash = createHash('sha256')
    for await (const window of snapshot.read(to)) {
      noteFiles(window, snapshot, files)
      const bytes = Buffer.from(write(window))
      hash.update(bytes)
      rows.size += bytes.length
      yield bytes
    }
    rows.sha256 = hash.digest('hex')
  }
  const addRest = () => {
    for (const [path, { sha256, size }] of files) {
      zip.addReadStreamLazy(path, { compress: false, size }, (add) => {
        blobs.open(sha256).then(
          (stream) => add(null, stream),
          (error: unknown) => add(error, Readable.from([])),
        )
      })
    }
    const croissant = describeRows(info, { rows, contentUrl: 'rows.ndjson', columns })
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
  for (;;) {
    const next = await Promise.race([output.next(), failed.promise])
    if (next.done === true) return
    yield next.value as Uint8Array
  }
}

/** The columns of an export, where a binary is the path of its file in the archive. */
function zipColumns(snapshot: Snapshot, integrity: boolean): ExportColumn[] {
  const mimeOf = new Map(mimeColumns(snapshot).map(({ index, mimeAt }) => [index, mimeAt]))
  return exportColumns(snapshot.fields, { integrity }).map((column) => {
    if (column.type !== 'binary') return column
    const index = snapshot.fields.findIndex(({ name }) => name === column.name)
    return {
      ...column,
      of: (row) => (row[index + 1] === null ? null : pathOf(row, index, mimeOf.get(index)!)),
    }
  })
}

function mimeColumns({ fields }: Snapshot): { index: number; mimeAt: number }[] {
  let at = fields.length + 2
  return fields.flatMap(({ type }, index) => {
    const mimeAt = at
    at += type === 'binary' ? 2 : 1
    return type === 'binary' ? [{ index, mimeAt }] : []
  })
}

function pathOf(row: SnapshotRow, index: number, mimeAt: number): string {
  return `files/${String(row[index + 1])}.${extensionOf(String(row[mimeAt]))}`
}

function noteFiles(
  rows: readonly SnapshotRow[],
  snapshot: Snapshot,
  files: Map<string, File>,
): void {
  for (const { index, mimeAt } of mimeColumns(snapshot)) {
    for (const row of rows) {
      if (row[index + 1] === null) continue
      const size = row[mimeAt + 1] as number
      files.set(pathOf(row, index, mimeAt), { sha256: String(row[index + 1]), size })
    }
  }
}

function manifest(rows: File, files: ReadonlyMap<string, File>) {
  const listed = [...files].map(([path, file]) => ({ path, ...file }))
  return { files: [{ path: 'rows.ndjson', ...rows }, ...listed] }
}

/** JSON is YAML too. */
function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
