import { createHash } from 'node:crypto'
import { queryText, type DatasetInfo, type Exploration } from '@vitrine/contract'
import { findDataset, readDatasetInfo } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import type { Snapshot } from '../reading/snapshot.ts'
import { describeDatasets, type RowsFile } from './croissant.ts'
import { exportColumns, toWritten } from './export-column.ts'
import { writeRows } from './write-rows.ts'

/** Datasets that one description has at most: those that references lead to, and on. */
const datasetsMax = 50

/**
 * Writes a description in Croissant of a dataset and of those that it refers to, each as it is now: their
 * files are exports of positions, which stay what they are.
 */
export async function* writeCroissant(
  { store, datasets, apiUrl }: { store: Store; datasets: DatasetReader; apiUrl: string },
  info: DatasetInfo,
  first: Exploration & { snapshot: Snapshot; from: number; to: number },
): AsyncGenerator<string> {
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
    const asked = next === info ? askedQuery(first) : ''
    const contentUrl = `${apiUrl}/api/dataset/${next.name}/export?format=ndjson&from=${from}&to=${to}${asked}`
    files.push({ info: next, rows, contentUrl, columns })
    for (const { target } of next.schema) {
      const isKnown = [...files.map((file) => file.info), ...wanted].some(
        ({ name }) => name === target,
      )
      if (target === undefined || isKnown || files.length + wanted.length >= datasetsMax) continue
      const dataset = await findDataset(store.reads, target)
      if (dataset !== undefined) wanted.push(await readDatasetInfo(store.reads, dataset))
    }
  }
  yield `${JSON.stringify(describeDatasets(info, files, first), null, 2)}\n`
}

function askedQuery({ where, order, q }: Exploration): string {
  return Object.entries({ where, order, q })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `&${name}=${encodeURIComponent(queryText(value))}`)
    .join('')
}

async function snapshotOf(datasets: DatasetReader, name: string): Promise<Snapshot | undefined> {
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
