import type { DatasetEntry } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Listing } from '../ui/Listing.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { CellLink, RowLink } from '../ui/RowLink.tsx'
import type { Column } from '../ui/Table.tsx'
import { Timestamp } from '../ui/Timestamp.tsx'
import { usePagedQuery } from './use-paged-query.ts'

const columns: Column<DatasetEntry>[] = [
  {
    key: 'name',
    header: 'name',
    rowHeader: true,
    cell: ({ name }) => <RowLink to={paths.items(name)}>{name}</RowLink>,
  },
  {
    key: 'createdAt',
    header: 'created at',
    cell: ({ createdAt }) => <Timestamp iso={createdAt} />,
  },
  {
    key: 'links',
    header: 'links',
    hideHeader: true,
    end: true,
    cell: ({ name }) => (
      <>
        <CellLink to={paths.items(name)}>items</CellLink>{' '}
        <CellLink to={paths.dataset(name)}>details</CellLink>
      </>
    ),
  },
]

export function DatasetsPage() {
  const { queries } = useApp()
  return (
    <>
      <PageHeader title="Datasets" />
      <Listing
        label="Datasets"
        loaded={usePagedQuery(queries.datasetList)}
        columns={columns}
        rowKey={({ name }) => name}
        stacks
        empty={
          <EmptyState text="You do not have any records yet.">
            <ButtonLink to={paths.addRepo()}>Add a repository</ButtonLink>
          </EmptyState>
        }
      />
    </>
  )
}
