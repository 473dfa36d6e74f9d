import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useApp } from '../app-context.tsx'
import { AddItemForm } from '../insert/AddItemForm.tsx'
import { FormSkeleton } from '../insert/FormSkeleton.tsx'
import { NoRepo } from '../insert/NoRepo.tsx'
import { paths } from '../paths.ts'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

export function AddItemPage() {
  const { repoId = '' } = useParams()
  const { queries } = useApp()
  const { data: info, error, isPending, refetch } = useQuery(queries.datasetGet(repoId))
  return (
    <>
      <PageHeader
        title={`${repoId}: Add Item`}
        documentTitle="Add Item"
        crumbs={[
          { label: 'Repos', to: paths.repos() },
          { label: repoId, to: paths.dataset(repoId) },
        ]}
      />
      {isPending && <FormSkeleton />}
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {info !== undefined && info.repo === undefined && <NoRepo info={info} />}
      {info?.repo !== undefined && (
        <AddItemForm key={info.name} repo={info.name} schema={info.schema} />
      )}
    </>
  )
}
