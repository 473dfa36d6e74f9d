import {
  exportFormats,
  isPart,
  stateName,
  type AtState,
  type DatasetInfo,
  type Exploration,
  type ExportFormat,
} from '@vitrine/contract'
import { fail, failAt, Failure } from '../failure.ts'
import { findDatasetById, readDatasetInfo } from '../store/datasets.ts'
import { listHiddenTargets, type Visibility } from '../store/visibility.ts'
import type { WrittenFormat } from '@vitrine/rows/write/row-writer'
import type { ExportContext } from './export-context.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import type { StateSnapshot } from '../reading/snapshot.ts'
import { exportColumns, toWritten } from './export-column.ts'
import { type BundledDataset, bundledDatasets } from './bundled-datasets.ts'
import { putSeals } from './put-seals.ts'
import { writeBundle } from './write-bundle.ts'
import { writeCroissant } from './write-croissant.ts'
import { requireSheet, writeWorkbook } from './write-workbook.ts'
import { writeRows } from './write-rows.ts'
import { writeZip } from './write-zip.ts'

/** Query of the dataset, and the format. */
export type ExportOptions = Exploration &
  AtState & {
    format: ExportFormat
    from: number
    to?: number | undefined
    integrity: boolean
    guard: boolean
    /** Datasets that whoever asks may read. */
    visibility: Visibility
    signal?: ReadOptions['signal']
  }

export type Exported = {
  /** Positions, the last left out, of so many items. */
  range: { from: number; to: number; total: number }
  /** The state that it is of. */
  at: number
  mediaType: string
  fileName: string
  bytes: AsyncIterable<string | Uint8Array>
}

/**
 * Begins to export a dataset as it is now or was, or what is asked of it.
 * @throws Failure DATASET_NOT_FOUND, STATE_NOT_FOUND, QUERY_INVALID, VIEW_NOT_READY; of a bundle also LOG_NOT_SIGNED,
 *   and FORBIDDEN where somebody may not read what is in it
 */
export async function exportDataset(
  context: ExportContext,
  name: string,
  options: ExportOptions,
): Promise<Exported> {
  const { from, format, at, visibility } = options
  const { mediaType, ending } = exportFormats[format]
  const { datasets, store } = context
  if (format === 'bundle') requireWhole(options)
  const dataset = await datasets.find(name, at)
  const stored = dataset && (await findDatasetById(store.reads, dataset.id))
  if (stored === undefined) throw fail('DATASET_NOT_FOUND')
  // Before anything is sent.
  if (format === 'bundle')
    await requireSigned(context, await bundledDatasets(context, name, visibility))
  const info = await readDatasetInfo(store.reads, stored, visibility)
  const hidden = await listHiddenTargets(store.reads, stored.schema, visibility)
  const query = await datasets.explorations.find(dataset!, options, visibility)
  if (query === undefined) throw fail('DATASET_NOT_FOUND')
  const isThere = async () => (await datasets.find(name, at))?.id === dataset!.id
  const snapshot = await unlessDeleted(query.snapshot(from, { signal: options.signal }), isThere)
  // Of a repository that is gone by then it has no items.
  if (!(await isThere())) throw fail('DATASET_NOT_FOUND')
  const to = Math.min(options.to ?? snapshot.count, snapshot.count)
  if (from > to) {
    const reason = `must be at most ${to}, where the items end`
    throw failAt('QUERY_INVALID', [{ path: ['from'], reason }])
  }
  if (format === 'xlsx') {
    const columns = exportColumns(snapshot.fields, options)
    await unlessDeleted(requireSheet(snapshot, { from, to, columns }), isThere)
  }
  return {
    range: { from, to, total: snapshot.count },
    at: at ?? snapshot.at,
    mediaType,
    fileName: `${stateName({ name, ...(at !== undefined && { at }) })}${isPart(options) ? '-part' : ''}.${ending}`,
    bytes: eachUnlessDeleted(
      writers[format](snapshot, { ...options, to }, { context, info, hidden }),
      isThere,
    ),
  }
}

/** @throws Failure DATASET_NOT_FOUND where reading failed as what is read was deleted meanwhile */
async function unlessDeleted<T>(reading: Promise<T>, isThere: () => Promise<boolean>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure || (await isThere())) throw error
    throw fail('DATASET_NOT_FOUND')
  }
}

async function* eachUnlessDeleted<T>(
  each: AsyncIterable<T>,
  isThere: () => Promise<boolean>,
): AsyncGenerator<T> {
  const reading = each[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await unlessDeleted(reading.next(), isThere)
      if (done === true) return
      yield value
    }
  } finally {
    await reading.return?.()
  }
}

/** @throws Failure QUERY_INVALID where some of the items are asked for, or an order of them */
function requireWhole(options: ExportOptions): void {
  const { where, q, order, from, to } = options
  const parts = Object.entries({ where, q, order, to, ...(from > 0 && { from }) })
  const problems = parts.flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: [name], reason: 'a bundle has all of a dataset' }],
  )
  if (problems.length > 0) throw failAt('QUERY_INVALID', problems)
}

/** @throws Failure LOG_NOT_SIGNED, DATASET_NOT_FOUND where one was deleted meanwhile */
async function requireSigned(
  { logs, signer }: ExportContext,
  datasets: readonly BundledDataset[],
): Promise<void> {
  for (const { info } of datasets) {
    if (info.repo === undefined) continue
    try {
      await signer.sign(await logs.find(info.name))
    } catch (error) {
      const isGone = error instanceof Failure && error.code === 'REPO_NOT_FOUND'
      throw isGone ? fail('DATASET_NOT_FOUND') : error
    }
  }
}

type Write = (
  snapshot: StateSnapshot,
  options: ExportOptions & { to: number },
  about: { context: ExportContext; info: DatasetInfo; hidden: ReadonlySet<string> },
) => AsyncIterable<string | Uint8Array>

const writers: Record<ExportFormat, Write> = {
  zip: (snapshot, options, about) => writeZip({ snapshot, ...about }, options),
  croissant: (snapshot, options, { context, info }) =>
    writeCroissant(context, info, { ...options, snapshot }),
  bundle: (snapshot, { at = snapshot.at, visibility }, { context, info }) =>
    writeBundle(context, { snapshot, info, at, visibility }),
  ndjson: byRows(() => ({ kind: 'ndjson' })),
  csv: byRows(({ guard }) => ({ kind: 'delimited', delimiter: ',', guard })),
  tsv: byRows(({ guard }) => ({ kind: 'delimited', delimiter: '\t', guard })),
  parquet: byRows(() => ({ kind: 'parquet' })),
  arrow: byRows(() => ({ kind: 'arrow' })),
  xlsx: (...input) => writeWorkbook(byRows(() => ({ kind: 'sheet' }))(...input)),
}

function byRows(
  formatOf: (options: ExportOptions) => WrittenFormat,
): (...input: Parameters<Write>) => AsyncGenerator<Uint8Array> {
  return (snapshot, options, about) => {
    const { from, to } = options
    const columns = exportColumns(snapshot.fields, options)
    const windows = putSeals(snapshot.read(to, columns), { ...about, columns })
    const format = { ...formatOf(options), columns: toWritten(columns) }
    return writeRows(format, { windows, count: to - from })
  }
}
