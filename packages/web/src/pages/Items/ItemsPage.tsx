import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { useExploration } from '../../explore/use-exploration.ts'
import { paths } from '../../paths.ts'
import { useAbsenceHint } from '../../roles.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ExploredItems } from './ExploredItems.tsx'
import { ItemsLookChoice } from './ItemsLookChoice.tsx'
import { ShownItems } from './ShownItems.tsx'
import { StateBanner } from '../States/StateBanner.tsx'
import { DatasetTabs } from '../DatasetTabs.tsx'
import { RepoActions } from '../RepoActions.tsx'
import { useParam } from '../use-param.ts'
import { totalText } from '../../explore/count-text.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'

export function ItemsPage() {
  const { queries, features } = useApp()
  const datasetId = useParam('datasetId')
  const info = useQuery(queries.datasetGet(datasetId))
  const absenceHint = useAbsenceHint(info.error)
  const { exploration } = useExploration()
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
        growing
        actions={isThere && <RepoActions datasetId={datasetId} info={info.data} />}
      >
        {info.error === null && <ItemTotal datasetId={datasetId} />}
        {isThere && (
          <DatasetTabs datasetId={datasetId} info={info.data} exploration={exploration} />
        )}
      </PageHeader>
      <StateBanner datasetId={datasetId} toNow={(name) => paths.items(name, exploration)} />
      {!isThere ? (
        <ErrorBox error={info.error} hint={absenceHint} onRetry={() => void info.refetch()} />
      ) : features.includes('explore') ? (
        <ExploredItems key={datasetId} datasetId={datasetId} info={info.data} />
      ) : (
        <div key={datasetId}>
          <ItemsLookChoice info={info.data} />
          <ShownItems datasetId={datasetId} info={info.data} />
        </div>
      )}
    </>
  )
}

/** How many items a dataset has, in a line that is there before they are counted. */
function ItemTotal({ datasetId }: { datasetId: string }) {
  const { queries } = useApp()
  const { data: count, error } = useQuery(queries.datasetCount(datasetId))
  return <p>{count ? totalText(count) : (error?.message ?? <TextSkeleton width={9} />)}</p>
}
