import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { ExportButton } from '../../export/ExportButton.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ExploredItems } from './ExploredItems.tsx'
import { ItemTotal } from '../ItemTotal.tsx'
import { Items } from './Items.tsx'
import { RepoActions } from '../RepoActions.tsx'
import { useParam } from '../use-param.ts'

export function ItemsPage() {
  const { queries, features } = useApp()
  const datasetId = useParam('datasetId')
  const info = useQuery(queries.datasetGet(datasetId))
  const isThere = info.data !== undefined || info.error === null
  return (
    <>
      <PageHeader
        title={datasetId}
        documentTitle="Items"
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
        ]}
        growing={features.includes('export')}
        actions={
          isThere && (
            <>
              <RepoActions datasetId={datasetId} info={info.data} />
              {features.includes('export') && <ExportButton datasetId={datasetId} />}
              <ButtonLink to={paths.dataset(datasetId)} variant="default">
                Details
              </ButtonLink>
            </>
          )
        }
      >
        {info.error === null && <ItemTotal datasetId={datasetId} />}
      </PageHeader>
      {!isThere ? (
        <ErrorBox error={info.error} onRetry={() => void info.refetch()} />
      ) : features.includes('explore') ? (
        <ExploredItems key={datasetId} datasetId={datasetId} info={info.data} />
      ) : (
        <Items key={datasetId} datasetId={datasetId} info={info.data} />
      )}
    </>
  )
}
