import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DatasetInfo } from '@vitrine/contract'
import { Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { answerText } from '../../explore/count-text.ts'
import { explorationOf } from '../../explore/exploration-search.ts'
import { ExportButton } from '../../export/ExportButton.tsx'
import { useCommands } from '../../palette/screen-commands.ts'
import { paths } from '../../paths.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { WebLink } from '../../values/url/WebLink.tsx'
import classes from './DatasetDetail.module.css'
import { DatasetSections } from './DatasetSections.tsx'
import { DatasetDescription } from './DatasetDescription.tsx'
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
  const canExtend = info?.repo !== undefined && features.includes('extend')
  const edit = { label: 'Edit', to: paths.editRepo(datasetId) }
  const ask = { label: 'delete', run: () => setAsking(true) }
  useCommands([
    { label: 'Items', to: paths.items(datasetId) },
    ...(canExtend ? [edit] : []),
    ...(info === undefined || deleting ? [] : [ask]),
  ])
  return (
    <>
      <PageHeader
        title={datasetId}
        crumbs={[{ label: 'Datasets', to: paths.datasets() }]}
        growing={features.includes('export') && 'many'}
        actions={
          // All at once, as what comes later would push the others aside.
          info !== undefined && (
            <>
              {info.view !== undefined && features.includes('explore') && (
                <ButtonLink
                  to={paths.items(info.view.base, explorationOf(info.view))}
                  variant="default"
                >
                  Explore base
                </ButtonLink>
              )}
              <RepoActions datasetId={datasetId} info={info} />
              {features.includes('export') && <ExportButton datasetId={datasetId} />}
              {canExtend && (
                <ButtonLink to={paths.editRepo(datasetId)} variant="default">
                  Edit
                </ButtonLink>
              )}
              {features.includes('summary') && (
                <ButtonLink to={paths.summary(datasetId)} variant="default">
                  Summary
                </ButtonLink>
              )}
              <ButtonLink to={paths.items(datasetId)} variant="default">
                Items
              </ButtonLink>
              <Button
                variant="default"
                c="var(--danger)"
                disabled={deleting}
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
        {info !== undefined && <DatasetDescription info={info} />}
        {/* Nothing of it before all of it is there: a readme would push the rest down. */}
        <Suspense>{info !== undefined && <DatasetSections info={info} />}</Suspense>
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

/** License and source of a repository, where it says them. */
function metadataFacts({ license, source }: Record<string, unknown>): [string, ReactNode][] {
  const link = (address: string, text: string) => <WebLink address={address}>{text}</WebLink>
  const facts: [string, ReactNode][] = []
  if (typeof license === 'string') {
    const page = `https://spdx.org/licenses/${encodeURIComponent(license)}.html`
    facts.push(['license', link(page, license)])
  }
  if (typeof source === 'string') facts.push(['source', link(source, source)])
  return facts
}

function DatasetFacts({ datasetId, info }: { datasetId: string; info: DatasetInfo | undefined }) {
  const { queries } = useApp()
  const { data: count, error } = useQuery(queries.datasetCount(datasetId))
  const kind = () => {
    if (info === undefined) return <TextSkeleton width={8} />
    if (info.view === undefined) return 'Repository'
    return (
      <>
        View on <Link to={paths.dataset(info.view.base)}>{info.view.base}</Link>
      </>
    )
  }
  const createdAt =
    info === undefined ? <TextSkeleton width={14} /> : <Timestamp iso={info.createdAt} />
  const items = error?.message ?? (count ? answerText(count) : <TextSkeleton width={5} />)
  return (
    <Facts
      facts={[
        ['kind', kind()],
        ['created at', createdAt],
        ['items', items],
        ...metadataFacts(info?.repo ?? {}),
      ]}
    />
  )
}
