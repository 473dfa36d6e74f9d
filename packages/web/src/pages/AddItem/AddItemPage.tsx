import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { fileFieldOf } from '../../files/value-source.ts'
import { AddItemForm } from './AddItemForm.tsx'
import { FormSkeleton } from '../../ui/FormSkeleton.tsx'
import { ForRole } from '../../layout/ForRole.tsx'
import { NoRepo } from '../../layout/NoRepo.tsx'
import { paths } from '../../paths.ts'
import { useMay } from '../../roles.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function AddItemPage() {
  const { repoId = '' } = useParams()
  const { queries, features } = useApp()
  const { data: info, error, isPending, refetch } = useQuery(queries.datasetGet(repoId))
  const may = useMay(repoId)
  const takesFiles =
    may('contributor') &&
    features.includes('import') &&
    info?.repo !== undefined &&
    fileFieldOf(info.schema) !== undefined
  return (
    <>
      <PageHeader
        title={`${repoId}: Add Item`}
        documentTitle="Add Item"
        crumbs={[
          { label: 'Repos', to: paths.repos() },
          { label: repoId, to: paths.dataset(repoId) },
        ]}
        actions={
          takesFiles ? (
            <ButtonLink to={paths.addFiles(repoId)} variant="default">
              Add many files
            </ButtonLink>
          ) : undefined
        }
      />
      {isPending && <FormSkeleton />}
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {info !== undefined && info.repo === undefined && <NoRepo info={info} />}
      {info?.repo !== undefined && (
        <ForRole datasetId={info.name} needed="contributor">
          <AddItemForm key={info.name} repo={info.name} schema={info.schema} />
        </ForRole>
      )}
    </>
  )
}
