import type { DatasetInfo, ExportFormat } from '@vitrine/contract'
import { fail, failAt } from '../failure.ts'
import { findDatasetById, readDatasetInfo } from '../store/datasets.ts'
import type { Exporting } from './exporting.ts'
import { freeBytes } from '../free-bytes.ts'
import { freeChunks } from '../free-chunks.ts'
import type { Snapshot, SnapshotRows } from '../views/snapshot.ts'
import { exportColumns } from './export-column.ts'
import { prepareDelimited } from './write-delimited.ts'
import { prepareNdjson } from './write-ndjson.ts'
import { writeCroissant } from './write-croissant.ts'
import { writeParquet } from './write-parquet.ts'
import { writeZip } from './write-zip.ts'

export type ExportOptions = {
  format: ExportFormat
  from: number
  to?: number | undefined
  integrity: boolean
  guard: boolean
}

export type Exported = {
  /** Positions, the last left out, of so many items. */
  range: { from: number; to: number; total: number }
  mediaType: string
  extension: string
  bytes: AsyncIterable<string | Uint8Array>
}

/**
 * Begins to export a dataset as it is now.
 * @throws Failure DATASET_NOT_FOUND, QUERY_INVALID, OVERLOADED
 */
export async function exportDataset(
  exporting: Exporting,
  name: string,
  options: ExportOptions,
): Promise<Exported> {
  const { from, format } = options
  const writer = writers[format]
  const { datasets, store } = exporting
  const dataset = await datasets.find(name)
  const stored = dataset && (await findDatasetById(store.reads, dataset.id))
  if (stored === undefined) throw fail('DATASET_NOT_FOUND')
  const info = await readDatasetInfo(store.reads, stored)
  // In an archive a binary is named by its media type too.
  const seals = options.integrity || format === 'zip'
  const snapshot = await dataset!.items.snapshot({ seals, from })
  const to = Math.min(options.to ?? snapshot.count, snapshot.count)
  if (from > to) {
    const reason = `must be at most ${to}, where the items end`
    throw failAt('QUERY_INVALID', [{ path: ['from'], reason }])
  }
  return {
    range: { from, to, total: snapshot.count },
    mediaType: writer.mediaType,
    extension: writer.extension,
    bytes: writer.write(snapshot, { ...options, to }, { exporting, info }),
  }
}

type Write = (
  snapshot: Snapshot,
  options: ExportOptions & { to: number },
  about: { exporting: Exporting; info: DatasetInfo },
) => AsyncIterable<string | Uint8Array>

const writers: Record<ExportFormat, { mediaType: string; extension: string; write: Write }> = {
  zip: {
    mediaType: 'application/zip',
    extension: 'zip',
    write: (snapshot, options, { exporting: { blobs }, info }) =>
      writeZip({ snapshot, blobs, info }, options),
  },
  croissant: {
    mediaType: 'application/ld+json',
    extension: 'croissant.json',
    write: (snapshot, { from, to }, { exporting, info }) =>
      writeCroissant(exporting, info, { snapshot, from, to }),
  },
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    write: (snapshot, options) =>
      writeWindows(
        snapshot.read(options.to),
        prepareNdjson(exportColumns(snapshot.fields, options)),
      ),
  },
  csv: delimited('text/csv; charset=utf-8; header=present', 'csv', ','),
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    write: (snapshot, options) =>
      writeParquet(exportColumns(snapshot.fields, options), snapshot.read(options.to)),
  },
  tsv: delimited('text/tab-separated-values; charset=utf-8', 'tsv', '\t'),
}

function delimited(mediaType: string, extension: string, delimiter: string) {
  const write: Write = async function* (snapshot, options) {
    const columns = exportColumns(snapshot.fields, options)
    const rowsAs = prepareDelimited(columns, { delimiter, guard: options.guard })
    yield rowsAs.header
    yield* writeWindows(snapshot.read(options.to), rowsAs.write)
  }
  return { mediaType, extension, write }
}

async function* writeWindows(
  windows: AsyncIterable<SnapshotRows>,
  write: (rows: SnapshotRows) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const rows of windows) {
    const bytes = write(rows)
    freeBytes(rows)
    yield bytes
    freeChunks(bytes.length)
  }
}
