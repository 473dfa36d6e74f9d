import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Listing } from '../ui/Listing.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { createdAtColumn, linksColumn, nameColumn } from './Datasets/dataset-columns.tsx'
import { usePagedQuery } from './use-paged-query.ts'

const columns = [nameColumn, createdAtColumn, linksColumn]

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
