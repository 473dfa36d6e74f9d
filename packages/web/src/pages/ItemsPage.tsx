import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ExploredItems } from './ExploredItems.tsx'
import { Items } from './Items.tsx'
import { useParam } from './use-param.ts'

export function ItemsPage() {
  const { queries, features } = useApp()
  const datasetId = useParam('datasetId')
  const info = useQuery(queries.datasetGet(datasetId))
  return (
    <>
      <PageHeader
        title={datasetId}
        documentTitle="Items"
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
        ]}
        actions={
          <>
            <ButtonLink to={paths.dataset(datasetId)} variant="default">
              Details
            </ButtonLink>
            {info.data?.repo !== undefined && (
              <ButtonLink to={paths.addItem(datasetId)} leftSection={<IconPlus size={16} />}>
                Add item
              </ButtonLink>
            )}
          </>
        }
      />
      {info.error !== null && info.data === undefined ? (
        <ErrorBox error={info.error} onRetry={() => void info.refetch()} />
      ) : features.includes('explore') ? (
        <ExploredItems key={datasetId} datasetId={datasetId} info={info.data} />
      ) : (
        <Items key={datasetId} datasetId={datasetId} info={info.data} />
      )}
    </>
  )
}
