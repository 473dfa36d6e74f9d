import { exportMediaTypes, type DatasetInfo, type ExportFormat } from '@vitrine/contract'
import { fail, failAt } from '../failure.ts'
import { findDatasetById, readDatasetInfo } from '../store/datasets.ts'
import type { Exporting } from './export-context.ts'
import type { Asking } from '../views/answer.ts'
import type { Snapshot } from '../reading/snapshot.ts'
import { exportColumns, type ExportColumn } from './export-column.ts'
import { putSeals } from './put-seals.ts'
import type { RowFormat } from './row-writer.ts'
import { writeCroissant } from './write-croissant.ts'
import { writeRows } from './write-rows.ts'
import { writeZip } from './write-zip.ts'

export type ExportOptions = {
  format: ExportFormat
  from: number
  to?: number | undefined
  integrity: boolean
  guard: boolean
  gone?: Asking['gone']
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
 * @throws Failure DATASET_NOT_FOUND, QUERY_INVALID, VIEW_NOT_READY
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
  const snapshot = await dataset!.items.snapshot(from, { gone: options.gone })
  const to = Math.min(options.to ?? snapshot.count, snapshot.count)
  if (from > to) {
    const reason = `must be at most ${to}, where the items end`
    throw failAt('QUERY_INVALID', [{ path: ['from'], reason }])
  }
  return {
    range: { from, to, total: snapshot.count },
    mediaType: exportMediaTypes[format],
    extension: writer.extension,
    bytes: writer.write(snapshot, { ...options, to }, { exporting, info }),
  }
}

type Write = (
  snapshot: Snapshot,
  options: ExportOptions & { to: number },
  about: { exporting: Exporting; info: DatasetInfo },
) => AsyncIterable<string | Uint8Array>

const writers: Record<ExportFormat, { extension: string; write: Write }> = {
  zip: {
    extension: 'zip',
    write: (snapshot, options, { exporting, info }) =>
      writeZip({ snapshot, exporting, info }, options),
  },
  croissant: {
    extension: 'croissant.json',
    write: (snapshot, { from, to }, { exporting, info }) =>
      writeCroissant(exporting, info, { snapshot, from, to }),
  },
  ndjson: {
    extension: 'ndjson',
    write: byRows((columns) => ({ kind: 'ndjson', columns })),
  },
  csv: {
    extension: 'csv',
    write: byRows((columns, { guard }) => ({ kind: 'delimited', columns, delimiter: ',', guard })),
  },
  tsv: {
    extension: 'tsv',
    write: byRows((columns, { guard }) => ({ kind: 'delimited', columns, delimiter: '\t', guard })),
  },
  parquet: {
    extension: 'parquet',
    write: byRows((columns) => ({ kind: 'parquet', columns })),
  },
}

function byRows(
  formatOf: (columns: readonly ExportColumn[], options: ExportOptions) => RowFormat,
): Write {
  return (snapshot, options, about) => {
    const { from, to } = options
    const columns = exportColumns(snapshot.fields, options)
    const windows = putSeals(snapshot.read(to, columns), { ...about, columns })
    return writeRows(formatOf(columns, options), { windows, count: to - from })
  }
}
