import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Listing } from '../../ui/Listing.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { CellLink } from '../../ui/RowLink.tsx'
import { AddAction, AddLink } from './AddLinks.tsx'
import { createdAtColumn, linksColumn, nameColumn } from './dataset-columns.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import { FoundDatasets } from './FoundDatasets.tsx'

const columns = [
  nameColumn,
  {
    key: 'base',
    header: 'base dataset',
    cell: ({ base = '' }: { base?: string | undefined }) => (
      <CellLink to={paths.dataset(base)}>{base}</CellLink>
    ),
  },
  createdAtColumn,
  linksColumn,
]
const text = 'You do not have any views yet.'

export function ViewsPage() {
  const { features } = useApp()
  return (
    <>
      <PageHeader title="Views" actions={<AddAction to={paths.addView()} />} />
      {features.includes('search') ? (
        <FoundDatasets
          label="Views"
          kind="view"
          columns={columns}
          empty={
            <EmptyState text={text}>
              <p>
                A view shows items of another dataset: some of them, in an order of its own.
                Describe one, or filter the items of a dataset and save that as a view.
              </p>
              <AddLink to={paths.addView()}>Add a view</AddLink>
            </EmptyState>
          }
        />
      ) : (
        <ListedViews />
      )}
    </>
  )
}

function ListedViews() {
  const { queries } = useApp()
  return (
    <Listing
      label="Views"
      loaded={usePagedQuery(queries.viewList)}
      columns={columns}
      rowKey={({ name }) => name}
      stacks
      empty={
        <EmptyState text={text}>
          <AddLink to={paths.addView()}>Add a view</AddLink>
        </EmptyState>
      }
    />
  )
}
