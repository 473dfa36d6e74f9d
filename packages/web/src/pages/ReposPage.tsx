import { IconPlus } from '@tabler/icons-react'
import type { RepoEntry } from '@vitrine/contract'
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

const columns: Column<RepoEntry>[] = [
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
        <CellLink to={paths.dataset(name)}>details</CellLink>{' '}
        <CellLink to={paths.addItem(name)}>add item</CellLink>
      </>
    ),
  },
]

export function ReposPage() {
  const { queries } = useApp()
  return (
    <>
      <PageHeader
        title="Repositories"
        actions={
          <ButtonLink to={paths.addRepo()} leftSection={<IconPlus size={16} />}>
            Add
          </ButtonLink>
        }
      />
      <Listing
        label="Repositories"
        loaded={usePagedQuery(queries.repoList)}
        columns={columns}
        rowKey={({ name }) => name}
        stacks
        empty={
          <EmptyState text="You do not have any repositories yet.">
            <ButtonLink to={paths.addRepo()}>Add a repository</ButtonLink>
          </EmptyState>
        }
      />
    </>
  )
}
