import type { DatasetInfo } from '@vitrine/contract'
import { ItemSeals } from '../reading/item-seals.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import type { Exporting } from './export-context.ts'
import { parseRows } from './parse-rows.ts'

/** Puts the seals of what references lead to into their columns, which have the references so far. */
export function putSeals(
  windows: AsyncIterable<SnapshotRows>,
  {
    exporting,
    info,
    columns,
  }: { exporting: Exporting; info: DatasetInfo; columns: readonly ExportColumn[] },
): AsyncIterable<SnapshotRows> {
  const sealed = columns.flatMap(({ name, type }, index) => {
    const field = info.schema.find((each) => `${each.name}.seal` === name)
    return type === 'seal' ? [{ index, target: field!.target! }] : []
  })
  return sealed.length === 0 ? windows : withSeals(windows, sealed, new ItemSeals(exporting))
}

async function* withSeals(
  windows: AsyncIterable<SnapshotRows>,
  sealed: readonly { index: number; target: string }[],
  seals: ItemSeals,
): AsyncGenerator<SnapshotRows> {
  for await (const window of windows) {
    const rows = parseRows(window)
    for (const { index, target } of sealed) {
      const ids = rows.flatMap((row) => (row[index] === null ? [] : Number(row[index])))
      const found = await seals.of(target, ids)
      for (const row of rows) row[index] = found.get(Number(row[index])) ?? null
    }
    const bytes = Buffer.from(rows.map((row) => JSON.stringify(row)).join(','))
    yield { count: window.count, bytes }
  }
}
