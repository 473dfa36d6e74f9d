import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteDataset } from '@vitrine/client'
import type { DatasetInfo } from '@vitrine/contract'
import { useEffect, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { useRecentDatasets } from '../../palette/use-recent-datasets.ts'
import { paths } from '../../paths.ts'
import { datasetsChanged } from '../../data/changes.ts'
import { Outcome } from '../../ui/Outcome.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DatasetDetail } from './DatasetDetail.tsx'
import { useParam } from '../use-param.ts'

export function DatasetPage() {
  const datasetId = useParam('datasetId')
  return <Dataset key={datasetId} datasetId={datasetId} />
}

function Dataset({ datasetId }: { datasetId: string }) {
  const { client } = useApp()
  const recent = useRecentDatasets()
  const deletion = useMutation({
    mutationFn: (info: DatasetInfo) => deleteDataset(client, info),
    onSuccess: () => recent.forget(datasetId),
  })
  const outcome = (
    <Outcome
      status={deletion.status}
      error={deletion.error}
      busy={`Deleting ${datasetId}`}
      hint="Nothing was deleted."
    >
      <Link to={paths.datasets()}>Back to Datasets</Link>
    </Outcome>
  )
  if (deletion.isSuccess) return <Deleted datasetId={datasetId}>{outcome}</Deleted>
  return (
    <DatasetDetail
      datasetId={datasetId}
      outcome={outcome}
      deleting={deletion.isPending}
      onDelete={deletion.mutate}
    />
  )
}

function Deleted({ datasetId, children }: { datasetId: string; children: ReactNode }) {
  const queryClient = useQueryClient()
  useEffect(() => {
    // Only now is the page that shows the dataset gone, which would ask for it once more.
    queryClient.removeQueries({
      predicate: ({ queryKey: [, input] }) =>
        typeof input === 'object' &&
        input !== null &&
        'datasetId' in input &&
        input.datasetId === datasetId,
    })
    void datasetsChanged(queryClient)
  }, [queryClient, datasetId])
  return (
    <>
      <PageHeader title={datasetId} crumbs={[{ label: 'Datasets', to: paths.datasets() }]} />
      {children}
    </>
  )
}
