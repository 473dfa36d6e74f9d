import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { useCommands } from '../../palette/screen-commands.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Listing } from '../../ui/Listing.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AddLink } from './AddLinks.tsx'
import { createdAtColumn, linksColumn, nameColumn } from './dataset-columns.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import { FoundDatasets } from './FoundDatasets.tsx'

const columns = [nameColumn, createdAtColumn, linksColumn]
const text = 'You do not have any records yet.'

export function DatasetsPage() {
  const { queries, features } = useApp()
  const { data: who } = useQuery(queries.whoAmI())
  const isAdministrator = who?.isAdministrator === true
  useCommands(isAdministrator ? [{ label: 'Audit', to: paths.audit() }] : [])
  return (
    <>
      <PageHeader
        title="Datasets"
        actions={
          isAdministrator && (
            <ButtonLink to={paths.audit()} variant="default">
              Audit
            </ButtonLink>
          )
        }
      />
      {features.includes('search') ? (
        <FoundDatasets
          label="Datasets"
          columns={columns}
          empty={
            <EmptyState text={text}>
              <p>
                Items are kept in repositories. Describe one, or have it described from a file of
                rows that you have.
              </p>
              <AddLink to={paths.addRepo()}>Add a repository</AddLink>
            </EmptyState>
          }
        />
      ) : (
        <ListedDatasets />
      )}
    </>
  )
}

function ListedDatasets() {
  const { queries } = useApp()
  return (
    <Listing
      label="Datasets"
      loaded={usePagedQuery(queries.datasetList)}
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
