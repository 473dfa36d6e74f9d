import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { AddFiles } from './AddFiles.tsx'
import { fileFieldOf } from '../../files/value-source.ts'
import { FormSkeleton } from '../../ui/FormSkeleton.tsx'
import { ForRole } from '../../layout/ForRole.tsx'
import { NoRepo } from '../../layout/NoRepo.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useParam } from '../use-param.ts'

export function AddFilesPage() {
  const repoId = useParam('repoId')
  const { queries } = useApp()
  const { data: info, error, isPending, refetch } = useQuery(queries.datasetGet(repoId))
  const field = info && fileFieldOf(info.schema)
  return (
    <>
      <PageHeader
        title={`${repoId}: Add Files`}
        documentTitle="Add Files"
        crumbs={[
          { label: 'Repos', to: paths.repos() },
          { label: repoId, to: paths.dataset(repoId) },
        ]}
        actions={
          <ButtonLink to={paths.items(repoId)} variant="default">
            Items
          </ButtonLink>
        }
      />
      {isPending && <FormSkeleton />}
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {info !== undefined && info.repo === undefined && <NoRepo info={info} />}
      {info?.repo !== undefined &&
        (field === undefined ? (
          <EmptyState text="Files become items where a repository has exactly one binary field.">
            <ButtonLink to={paths.addItem(repoId)}>Add item</ButtonLink>
          </EmptyState>
        ) : (
          <ForRole datasetId={info.name} needed="contributor">
            <AddFiles key={info.name} info={info} field={field} />
          </ForRole>
        ))}
    </>
  )
}
