import type { Feature, Item, ItemChange, ShownField } from '@vitrine/contract'
import { itemColumns } from '../../values/item-columns.tsx'
import type { Column } from '../../ui/Table.tsx'

type Options = {
  /** Names of the states, to which the items that only one of them has link. */
  before: string
  after: string
  schema: readonly ShownField[]
  features: readonly Feature[]
}

/** Columns of a table of changes: what changed, and those of the items. */
export function changeColumns({ before, after, ...shown }: Options): Column<ItemChange>[] {
  const removed = itemColumns({ datasetId: before, ...shown })
  const added = itemColumns({ datasetId: after, ...shown })
  return [
    { key: 'change', header: 'change', cell: ({ change }) => change },
    ...added.map((column, index): Column<ItemChange> => {
      const cells: Record<ItemChange['change'], (item: Item) => React.ReactNode> = {
        added: column.cell,
        removed: removed[index]!.cell,
      }
      return { ...column, cell: ({ change, item }) => cells[change](item) }
    }),
  ]
}
