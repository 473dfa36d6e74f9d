import { useQuery } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'
import { fileFieldOf } from '../../files/value-source.ts'
import { ImportScreen } from './ImportScreen.tsx'
import { FormSkeleton } from '../../ui/FormSkeleton.tsx'
import { ForRole } from '../../layout/ForRole.tsx'
import { NoRepo } from '../../layout/NoRepo.tsx'
import { paths } from '../../paths.ts'
import { useMay } from '../../roles.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DatasetTabs } from '../DatasetTabs.tsx'
import { useParam } from '../use-param.ts'

export function ImportPage() {
  const repoId = useParam('repoId')
  const { queries } = useApp()
  const { data: info, error, isPending, refetch } = useQuery(queries.datasetGet(repoId))
  const may = useMay(repoId)
  return (
    <>
      <PageHeader
        title={`${repoId}: Import`}
        documentTitle="Import"
        crumbs={[
          { label: 'Repos', to: paths.repos() },
          { label: repoId, to: paths.dataset(repoId) },
        ]}
        actions={
          info !== undefined &&
          may('contributor') &&
          fileFieldOf(info.schema) !== undefined && (
            <ButtonLink to={paths.addFiles(repoId)} variant="default">
              Add many files
            </ButtonLink>
          )
        }
      >
        <DatasetTabs datasetId={repoId} info={info} />
      </PageHeader>
      {isPending && <FormSkeleton />}
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {info !== undefined && info.repo === undefined && <NoRepo info={info} />}
      {info?.repo !== undefined && (
        <ForRole datasetId={info.name} needed="curator">
          <ImportScreen key={info.name} info={info} />
        </ForRole>
      )}
    </>
  )
}
