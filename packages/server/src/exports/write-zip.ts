import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { DatasetInfo } from '@vitrine/contract'
import type { Blobs } from '../blobs/blobs.ts'
import { extensionOf } from '../formats/extensions.ts'
import type { Snapshot, SnapshotRows } from '../views/snapshot.ts'
import { exportColumns, type ExportColumn } from './export-column.ts'
import { describeRows } from './croissant.ts'
import { parseRows } from './parse-rows.ts'
import { writeRows } from './write-rows.ts'

type File = { sha256: string; size: number }

/**
 * Writes a zip archive of the rows, the files that they name under their digests, the description of the
 * dataset, what of it is in Croissant, and a manifest of digests. An import takes it as it is.
 */
export async function* writeZip(
  { snapshot, blobs, info }: { snapshot: Snapshot; blobs: Blobs; info: DatasetInfo },
  { from, to, integrity }: { from: number; to: number; integrity: boolean },
): AsyncGenerator<Uint8Array> {
  const files = new Map<string, File>()
  const binaries = binaryCells(snapshot)
  const columns = zipColumns(snapshot, binaries, integrity)
  const rows = { sha256: '', size: 0 }
  const { default: yazl } = await import('yazl')
  const zip = new yazl.ZipFile()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  zip.on('error', failed.reject)

  const windows = async function* () {
    for await (const window of snapshot.read(to)) {
      yield binaries.length === 0 ? window : addPaths(window, binaries, files)
    }
  }
  const source = async function* () {
    const hash = createHash('sha256')
    const format = { kind: 'ndjson', columns } as const
    for await (const bytes of writeRows(format, { windows: windows(), count: to - from })) {
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

/** Where the cells of a binary are: its digest, its media type with its size after it, and its path. */
type BinaryCells = { at: number; mimeAt: number; pathAt: number }

function binaryCells({ fields }: Snapshot): BinaryCells[] {
  const sizes = fields.map(({ type }) => (type === 'binary' ? 2 : 1))
  let mimeAt = fields.length + 2
  let pathAt = mimeAt + sizes.reduce((cells, size) => cells + size, 0)
  return fields.flatMap(({ type }, index) => {
    const cells = { at: index + 1, mimeAt, pathAt }
    mimeAt += sizes[index]!
    if (type !== 'binary') return []
    pathAt += 1
    return [cells]
  })
}

/** The columns of an export, where a binary is the path of its file in the archive. */
function zipColumns(
  { fields }: Snapshot,
  binaries: readonly BinaryCells[],
  integrity: boolean,
): ExportColumn[] {
  const pathAt = new Map(binaries.map((cells) => [cells.at, cells.pathAt]))
  return exportColumns(fields, { integrity }).map((column) =>
    column.type === 'binary' ? { ...column, at: pathAt.get(column.at)! } : column,
  )
}

/** Adds to rows the paths of their binaries, and notes the files. */
function addPaths(
  window: SnapshotRows,
  binaries: readonly BinaryCells[],
  files: Map<string, File>,
): SnapshotRows {
  const rows = parseRows(window)
  for (const { at, mimeAt, pathAt } of binaries) {
    for (const row of rows) {
      row[pathAt] = null
      if (row[at] === null) continue
      const sha256 = String(row[at])
      const path = `files/${sha256}.${extensionOf(String(row[mimeAt]))}`
      files.set(path, { sha256, size: row[mimeAt + 1] as number })
      row[pathAt] = path
    }
  }
  return Buffer.from(rows.map((row) => JSON.stringify(row)).join(','))
}

function manifest(rows: File, files: ReadonlyMap<string, File>) {
  const listed = [...files].map(([path, file]) => ({ path, ...file }))
  return { files: [{ path: 'rows.ndjson', ...rows }, ...listed] }
}

/** JSON is YAML too. */
function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
