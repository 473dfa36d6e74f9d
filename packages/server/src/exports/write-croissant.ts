import { createHash } from 'node:crypto'
import {
  type AtState,
  type DatasetInfo,
  type Exploration,
  isPart,
  queryText,
} from '@vitrine/contract'
import { findVisibleDataset, readDatasetInfo } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import type { Visibility } from '../store/visibility.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import type { StateSnapshot } from '../reading/snapshot.ts'
import { type RowsFile, type SentFile, describeDatasets } from './croissant.ts'
import { exportColumns, toWritten } from './export-column.ts'
import { type SnapshotFiles, snapshotUrls } from './snapshot-files.ts'
import { writeRows } from './write-rows.ts'

type CroissantContext = {
  store: Store
  datasets: DatasetReader
  snapshots: SnapshotFiles
  apiUrl: string
}

/** Datasets that one description has at most: those that references lead to, and on. */
const datasetsMax = 50

/**
 * Writes a description in Croissant of a dataset and of those that it refers to, each as it is now or was: their
 * files are exports of states, which stay what they are. The snapshot of the state that was asked for is named beside
 * them where it is made.
 */
export async function* writeCroissant(
  context: CroissantContext,
  info: DatasetInfo,
  first: Exploration &
    AtState & { snapshot: StateSnapshot; from: number; to: number; visibility: Visibility },
): AsyncGenerator<string> {
  const { store, datasets, apiUrl } = context
  const files: (RowsFile & { info: DatasetInfo })[] = []
  const wanted: DatasetInfo[] = [info]
  for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
    const snapshot = next === info ? first.snapshot : await snapshotOf(datasets, next.name)
    if (snapshot === undefined) continue
    const { from, to } = next === info ? first : { from: 0, to: snapshot.count }
    const columns = exportColumns(snapshot.fields, { integrity: false })
    const rows = await digestOf(
      writeRows(
        { kind: 'ndjson', columns: toWritten(columns) },
        { windows: snapshot.read(to, columns), count: to - from },
      ),
    )
    const at = (next === info ? first.at : undefined) ?? snapshot.at
    const suffix = explorationQuery(next === info ? { ...first, at } : { at })
    const contentUrl = `${apiUrl}/api/dataset/${next.name}/export?format=ndjson&from=${from}&to=${to}${suffix}`
    const snapshots = next === info ? await madeSnapshot(context, info.name, first) : []
    files.push({ info: next, rows, contentUrl, columns, snapshots })
    for (const { target } of next.schema) {
      const isKnown = [...files.map((file) => file.info), ...wanted].some(
        ({ name }) => name === target,
      )
      if (target === undefined || isKnown || files.length + wanted.length >= datasetsMax) continue
      const { visibility } = first
      const dataset = await findVisibleDataset(store.reads, target, visibility)
      if (dataset === undefined) continue
      wanted.push(await readDatasetInfo(store.reads, dataset, visibility))
    }
  }
  yield `${JSON.stringify(describeDatasets(info, files, first), null, 2)}\n`
}

/** The files of the snapshot that has the same items in the same order; none where there is none. */
async function madeSnapshot(
  { datasets, snapshots, apiUrl }: CroissantContext,
  name: string,
  {
    at,
    from,
    to,
    snapshot,
    ...exploration
  }: Exploration & AtState & { snapshot: StateSnapshot; from: number; to: number },
): Promise<SentFile[]> {
  const isWhole =
    !isPart(exploration) && exploration.order === undefined && from === 0 && to === snapshot.count
  if (at === undefined || !isWhole) return []
  const dataset = await datasets.find(name, at)
  const made = dataset && (await snapshots.findMade(dataset, at))
  if (made === undefined) return []
  const urls = snapshotUrls(apiUrl, { name, at }, made)
  return made.parts.map(({ sha256, size }, number) => {
    return { sha256, size, contentUrl: urls[number]! }
  })
}

function explorationQuery({ where, order, q, current, at }: Exploration & AtState): string {
  return Object.entries({ where, order, q, current, at })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `&${name}=${encodeURIComponent(queryText(value))}`)
    .join('')
}

async function snapshotOf(
  datasets: DatasetReader,
  name: string,
): Promise<StateSnapshot | undefined> {
  const dataset = await datasets.find(name)
  return dataset?.items.snapshot(0)
}

async function digestOf(
  file: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const bytes of file) {
    hash.update(bytes)
    size += bytes.length
  }
  return { sha256: hash.digest('hex'), size }
}
