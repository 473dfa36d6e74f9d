import { IconPlus } from '@tabler/icons-react'
import type { ViewEntry } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Listing } from '../ui/Listing.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { CellLink } from '../ui/RowLink.tsx'
import type { Column } from '../ui/Table.tsx'
import { createdAtColumn, linksColumn, nameColumn } from './Datasets/dataset-columns.tsx'
import { usePagedQuery } from './use-paged-query.ts'

const columns: Column<ViewEntry>[] = [
  nameColumn,
  {
    key: 'base',
    header: 'base dataset',
    cell: ({ base }) => <CellLink to={paths.dataset(base)}>{base}</CellLink>,
  },
  createdAtColumn,
  linksColumn,
]

export function ViewsPage() {
  const { queries } = useApp()
  return (
    <>
      <PageHeader
        title="Views"
        actions={
          <ButtonLink to={paths.addView()} leftSection={<IconPlus size={16} aria-hidden />}>
            Add
          </ButtonLink>
        }
      />
      <Listing
        label="Views"
        loaded={usePagedQuery(queries.viewList)}
        columns={columns}
        rowKey={({ name }) => name}
        stacks
        empty={
          <EmptyState text="You do not have any views yet.">
            <ButtonLink to={paths.addView()}>Add a view</ButtonLink>
          </EmptyState>
        }
      />
    </>
  )
}
