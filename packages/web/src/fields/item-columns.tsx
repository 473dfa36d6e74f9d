import type { Item, ShownField } from '@vitrine/contract'
import { paths } from '../paths.ts'
import { RowLink } from '../ui/RowLink.tsx'
import type { Column, Sort } from '../ui/Table.tsx'
import { FieldCell } from './FieldCell.tsx'

type Options = {
  /** The dataset whose pages the items link to. */
  datasetId: string
  schema: readonly ShownField[]
  /** How a column is sorted; undefined for one that cannot be. */
  sortOf?: (name: string, type: string) => Sort | undefined
}

/** The columns of an items table: id, one column per schema field, and a link (specification §2). */
export function itemColumns({ datasetId, schema, sortOf }: Options): Column<Item>[] {
  return [
    {
      key: 'id',
      header: 'id',
      rowHeader: true,
      sort: sortOf?.('id', 'id'),
      cell: ({ id }) => (
        <RowLink to={paths.item(datasetId, id)} second>
          {id}
        </RowLink>
      ),
    },
    ...schema.map((field) => ({
      key: `field ${field.name}`,
      header: field.name,
      sort: sortOf?.(field.name, field.type),
      cell: ({ data }: Item) => <FieldCell field={field} value={data[field.name]} />,
    })),
    {
      key: 'show',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: ({ id }) => <RowLink to={paths.item(datasetId, id)}>show</RowLink>,
    },
  ]
}
