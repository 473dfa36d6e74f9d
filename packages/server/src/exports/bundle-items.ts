import { parseRowLists, toRowLists } from '@vitrine/rows/write/row-lists'
import { pickedSnapshot } from '../reading/snapshot-reads.ts'
import type { Snapshot, SnapshotRows } from '../reading/snapshot.ts'
import type { Store } from '../store/store.ts'
import { listCorrections } from '../store/corrections.ts'
import { hasSuperseded } from '../store/superseded.ts'
import { type BundlePicks, referencesOf } from './bundle-picks.ts'
import type { BundledDataset } from './bundled-datasets.ts'
import { storedTypes } from '../values/stored-types.ts'
import { exportColumns, toWritten, withFiles } from './export-column.ts'
import { writeRows } from './write-rows.ts'

/** Column with the reason of what corrects another item; which one that is its entry in the log says. */
const reasonColumn = { name: 'id.reason', ...storedTypes.string.exported }

/**
 * Writes the items of a repository that a bundle has as NDJSON with digests, in commit order; binaries by their digests.
 * Notes their files, with their sizes, and picks what they refer to.
 */
export async function* writeBundledItems(
  store: Store,
  dataset: BundledDataset,
  { picks, files }: { picks: BundlePicks; files: Map<string, number> },
): AsyncGenerator<Uint8Array> {
  const { info, readable } = dataset
  const picked = picks.of(readable.repoId)
  const snapshot: Snapshot = picked.isWhole
    ? await readable.items.snapshot(0)
    : pickedSnapshot(store, { repoId: readable.repoId, picked }, readable.shown)
  const columns = exportColumns(snapshot.fields, { integrity: true }).filter(
    ({ type }) => type !== 'seal',
  )
  const { read, binaries } = withFiles(snapshot, columns)
  const hasReasons = await hasSuperseded(store.reads, readable.repoId)
  // Before the fields stand the id and the moment.
  const references = referencesOf(info).map(({ at, target }) => ({ at: at + 2, target }))
  const note = async (window: SnapshotRows): Promise<SnapshotRows> => {
    const rows = parseRowLists(window)
    for (const { at, sizeAt } of binaries) {
      for (const row of rows) {
        if (row[at] !== null) files.set(String(row[at]), Number(row[sizeAt]))
      }
    }
    for (const { at, target } of references) {
      const ids = rows.flatMap((row) => (row[at] === null ? [] : Number(row[at])))
      await picks.add(target, ids)
    }
    const written =
      read.length === columns.length ? rows : rows.map((row) => row.slice(0, columns.length))
    if (hasReasons) {
      const ids = written.map(([id]) => Number(id))
      const corrections = await listCorrections(store.reads, readable.repoId, ids)
      for (const row of written) row.push(corrections.get(Number(row[0]))?.reason ?? null)
    }
    return hasReasons || written !== rows ? toRowLists(written) : window
  }
  const windows = async function* () {
    const isNoted = hasReasons || binaries.length + references.length > 0
    for await (const window of snapshot.read(picked.count, read)) {
      yield isNoted ? await note(window) : window
    }
  }
  const written = [...toWritten(columns), ...(hasReasons ? [reasonColumn] : [])]
  const format = { kind: 'ndjson', columns: written } as const
  yield* writeRows(format, { windows: windows(), count: picked.count })
}
