import type { DatasetInfo } from '@vitrine/contract'
import { parseRowLists, toRowLists } from '@vitrine/rows/write/row-lists'
import { ItemSeals } from '../reading/item-seals.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import type { ExportContext } from './export-context.ts'

/**
 * Puts the seals of what references lead to into their columns, which have the references so far. What leads to a dataset
 * of `hidden` gets none.
 */
export function putSeals(
  windows: AsyncIterable<SnapshotRows>,
  {
    context,
    info,
    hidden,
    columns,
  }: {
    context: ExportContext
    info: DatasetInfo
    hidden: ReadonlySet<string>
    columns: readonly ExportColumn[]
  },
): AsyncIterable<SnapshotRows> {
  const sealed = columns.flatMap(({ name, type }, index) => {
    const field = info.schema.find((each) => `${each.name}.seal` === name)
    return type === 'seal' ? [{ index, target: field!.target! }] : []
  })
  return sealed.length === 0
    ? windows
    : withSeals(windows, sealed, { hidden, seals: new ItemSeals(context) })
}

async function* withSeals(
  windows: AsyncIterable<SnapshotRows>,
  sealed: readonly { index: number; target: string }[],
  { hidden, seals }: { hidden: ReadonlySet<string>; seals: ItemSeals },
): AsyncGenerator<SnapshotRows> {
  for await (const window of windows) {
    const rows = parseRowLists(window)
    for (const { index, target } of sealed) {
      const ids = rows.flatMap((row) => (row[index] === null ? [] : Number(row[index])))
      const sealById = hidden.has(target) ? new Map() : await seals.of(target, ids)
      for (const row of rows) row[index] = sealById.get(Number(row[index])) ?? null
    }
    yield toRowLists(rows)
  }
}
