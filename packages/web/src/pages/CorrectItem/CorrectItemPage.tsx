import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { ForRole } from '../../layout/ForRole.tsx'
import { NoRepo } from '../../layout/NoRepo.tsx'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { FormSkeleton } from '../../ui/FormSkeleton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AddItemForm } from '../AddItem/AddItemForm.tsx'
import { useParam } from '../use-param.ts'

export function CorrectItemPage() {
  const repoId = useParam('repoId')
  const itemId = useParam('itemId')
  const { queries } = useApp()
  const info = useQuery(queries.datasetGet(repoId))
  const item = useQuery(queries.datasetItemGet(repoId, itemId))
  const failed = [info, item].find(({ error, data }) => error !== null && data === undefined)
  return (
    <>
      <PageHeader
        title={`${repoId}: Correct item ${itemId}`}
        documentTitle={`Correct item ${itemId}`}
        crumbs={[
          { label: 'Repos', to: paths.repos() },
          { label: repoId, to: paths.dataset(repoId) },
          { label: `Item ${itemId}`, to: paths.item(repoId, itemId) },
        ]}
      >
        <p>A new item replaces this one, which stays and says so.</p>
      </PageHeader>
      {failed?.error && <ErrorBox error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && (info.data === undefined || item.data === undefined) && <FormSkeleton />}
      {info.data !== undefined && info.data.repo === undefined && <NoRepo info={info.data} />}
      {info.data?.repo !== undefined && item.data !== undefined && (
        <ForRole datasetId={repoId} needed="contributor">
          <AddItemForm
            key={`${repoId}/${itemId}`}
            repo={repoId}
            schema={info.data.schema}
            corrected={item.data}
          />
        </ForRole>
      )}
    </>
  )
}
