import { useQuery, useQueryClient } from '@tanstack/react-query'
import { checkRepoDescription, type DatasetInfo } from '@vitrine/contract'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { itemsChanged } from '../../data/changes.ts'
import { canonicalYaml } from '../../describe/canonical-yaml.ts'
import { DescribeForm } from '../../describe/DescribeForm.tsx'
import { extensionKind } from '../../describe/extension-kind.ts'
import { ForRole } from '../../layout/ForRole.tsx'
import { paths } from '../../paths.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { FormSkeleton } from '../../ui/FormSkeleton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { useParam } from '../use-param.ts'
import { RepoChanges } from './RepoChanges.tsx'

export function EditRepoPage() {
  const repoId = useParam('repoId')
  const { queries } = useApp()
  const { data: info, error, isPending, refetch } = useQuery(queries.datasetGet(repoId))
  return (
    <>
      <PageHeader
        title={`${repoId}: Edit`}
        documentTitle="Edit"
        crumbs={[
          { label: 'Repos', to: paths.repos() },
          { label: repoId, to: paths.dataset(repoId) },
        ]}
      />
      {isPending && <FormSkeleton />}
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {info !== undefined && (
        <ForRole datasetId={repoId} needed="curator">
          <EditRepo key={repoId} info={info} />
        </ForRole>
      )}
    </>
  )
}

/** The description as it was when the screen opened, to be changed. */
function EditRepo({ info: current }: { info: DatasetInfo }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [info] = useState(current)
  const before = useMemo(() => {
    const checked = checkRepoDescription(info.repo)
    return checked.ok ? checked.value : undefined
  }, [info])
  const kind = useMemo(() => before && extensionKind(before), [before])
  if (before === undefined || kind === undefined) {
    return (
      <ErrorBox error={{ message: `${info.name} is a view; only repositories can be edited` }} />
    )
  }
  return (
    <DescribeForm
      kind={kind}
      begin={`---\n${canonicalYaml(before)}\n`}
      submitLabel="Apply"
      renderBeside={(text) => <RepoChanges before={before} text={text} />}
      onAdded={(name) => {
        void itemsChanged(queryClient)
        void navigate(paths.dataset(name))
      }}
      next={(name) => [{ to: paths.dataset(name), label: `Open ${name}` }]}
    />
  )
}
