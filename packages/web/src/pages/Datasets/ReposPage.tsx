import type { RepoEntry } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Listing } from '../../ui/Listing.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import type { Column } from '../../ui/Table.tsx'
import { AddAction, AddItemLink, AddLink } from './AddLinks.tsx'
import { createdAtColumn, linksColumn, nameColumn } from './dataset-columns.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import { FoundDatasets } from './FoundDatasets.tsx'

const columns: Column<RepoEntry>[] = [
  nameColumn,
  createdAtColumn,
  {
    ...linksColumn,
    cell: (repo) => (
      <>
        {linksColumn.cell(repo)}
        <AddItemLink name={repo.name} />
      </>
    ),
  },
]
const text = 'You do not have any repositories yet.'

export function ReposPage() {
  const { features } = useApp()
  return (
    <>
      <PageHeader title="Repositories" actions={<AddAction to={paths.addRepo()} />} />
      {features.includes('search') ? (
        <FoundDatasets
          label="Repositories"
          kind="repo"
          columns={columns}
          empty={
            <EmptyState text={text}>
              <p>
                A repository holds items that people add. Describe its fields, or have them
                described from a file of rows that you have.
              </p>
              <AddLink to={paths.addRepo()}>Add a repository</AddLink>
            </EmptyState>
          }
        />
      ) : (
        <ListedRepos />
      )}
    </>
  )
}

function ListedRepos() {
  const { queries } = useApp()
  return (
    <Listing
      label="Repositories"
      loaded={usePagedQuery(queries.repoList)}
      columns={columns}
      rowKey={({ name }) => name}
      stacks
      empty={
        <EmptyState text={text}>
          <AddLink to={paths.addRepo()}>Add a repository</AddLink>
        </EmptyState>
      }
    />
  )
}
