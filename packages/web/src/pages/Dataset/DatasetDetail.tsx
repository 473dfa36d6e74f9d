import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DatasetInfo } from '@vitrine/contract'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { answerText } from '../../explore/count-text.ts'
import { explorationOf } from '../../explore/exploration-search.ts'
import { ExportButton } from '../../export/ExportButton.tsx'
import { paths } from '../../paths.ts'
import { Bone } from '../../ui/Bone.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './DatasetDetail.module.css'
import { DatasetSections } from '../DatasetSections.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { RepoActions } from '../RepoActions.tsx'

type Props = {
  datasetId: string
  outcome: ReactNode
  deleting: boolean
  onDelete: (info: DatasetInfo) => void
}

/** Everything that is known of a dataset. */
export function DatasetDetail({ datasetId, outcome, deleting, onDelete }: Props) {
  const { queries, features } = useApp()
  const { data: info, error, refetch } = useQuery(queries.datasetGet(datasetId))
  const [asking, setAsking] = useState(false)
  const isThere = info !== undefined || error === null
  return (
    <>
      <PageHeader
        title={datasetId}
        crumbs={[{ label: 'Datasets', to: paths.datasets() }]}
        growing={features.includes('export')}
        actions={
          isThere && (
            <>
              {info?.view !== undefined && features.includes('explore') && (
                <ButtonLink
                  to={paths.items(info.view.base, explorationOf(info.view))}
                  variant="default"
                >
                  Explore base
                </ButtonLink>
              )}
              <RepoActions datasetId={datasetId} info={info} />
              {features.includes('export') && <ExportButton datasetId={datasetId} />}
              <ButtonLink to={paths.items(datasetId)} variant="default">
                Items
              </ButtonLink>
              <Button
                variant="default"
                c="var(--danger)"
                disabled={info === undefined || deleting}
                onClick={() => setAsking(true)}
              >
                delete
              </Button>
            </>
          )
        }
      />
      {outcome}
      <div className={classes.sections}>
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {isThere && <DatasetFacts datasetId={datasetId} info={info} />}
        {info?.description !== undefined && (
          <p className={classes.description}>{info.description}</p>
        )}
        {info !== undefined && <DatasetSections info={info} />}
      </div>
      {asking && info !== undefined && (
        <DeleteDialog
          info={info}
          onClose={() => setAsking(false)}
          onDelete={() => {
            setAsking(false)
            onDelete(info)
          }}
        />
      )}
    </>
  )
}

function DatasetFacts({ datasetId, info }: { datasetId: string; info: DatasetInfo | undefined }) {
  const { queries } = useApp()
  const { data: count, error } = useQuery(queries.datasetCount(datasetId))
  const kind = () => {
    if (info === undefined) return <Bone width={8} />
    if (info.view === undefined) return 'Repository'
    return (
      <>
        View on <Link to={paths.dataset(info.view.base)}>{info.view.base}</Link>
      </>
    )
  }
  return (
    <Facts
      facts={[
        ['kind', kind()],
        [
          'created at',
          info === undefined ? <Bone width={14} /> : <Timestamp iso={info.createdAt} />,
        ],
        ['items', error?.message ?? (count ? answerText(count) : <Bone width={5} />)],
      ]}
    />
  )
}
