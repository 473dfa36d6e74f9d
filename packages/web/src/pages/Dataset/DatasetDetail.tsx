import { Button } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import {
  type DatasetInfo,
  type DatasetRole,
  type ItemCount,
  type Provenance,
  type Role,
  type RoleSource,
  includesRole,
} from '@vitrine/contract'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import type { Answer } from '../../data/answer.ts'
import { answerText } from '../../explore/count-text.ts'
import { explorationOf, paths } from '../../paths.ts'
import { namedState } from '../../data/named-state.ts'
import { useAbsenceHint, useRole } from '../../roles.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import { WebLink } from '../../values/url.tsx'
import classes from './DatasetDetail.module.css'
import { DatasetSections } from './DatasetSections.tsx'
import { DatasetDescription } from './DatasetDescription.tsx'
import { DatasetPictures } from './DatasetPictures.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { NoItems } from '../Items/NoItems.tsx'
import { PastStates } from '../States/PastStates.tsx'
import { StateBanner } from '../States/StateBanner.tsx'
import { DatasetTabs } from '../DatasetTabs.tsx'
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
  const absenceHint = useAbsenceHint(error)
  const role = useRole(datasetId)
  const may = (needed: Role) => role !== undefined && includesRole(role.role, needed)
  const [asking, setAsking] = useState(false)
  const count = useQuery(queries.datasetCount(datasetId))
  const provenance = useQuery(queries.datasetProvenance(datasetId))
  // How high the facts are depends on what they say, so nothing is below them before they are known.
  const isKnown =
    info !== undefined && role !== undefined && !count.isLoading && !provenance.isLoading
  const isState = namedState(datasetId).at !== undefined
  const canExtend =
    info?.repo !== undefined && !isState && features.includes('extend') && may('curator')
  const canDelete = info !== undefined && !isState && may('owner')
  const edit = { label: 'Edit', to: paths.editRepo(datasetId) }
  const ask = { label: 'delete', run: () => setAsking(true) }
  useCommands([...(canExtend ? [edit] : []), ...(canDelete && !deleting ? [ask] : [])])
  return (
    <>
      <PageHeader
        title={datasetId}
        crumbs={[{ label: 'Datasets', to: paths.datasets() }]}
        growing
        actions={
          // All at once, as what comes later would push the others aside.
          info !== undefined &&
          role !== undefined && (
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
              {canExtend && (
                <ButtonLink to={paths.editRepo(datasetId)} variant="default">
                  Edit
                </ButtonLink>
              )}
            </>
          )
        }
      >
        {error === null && <DatasetTabs datasetId={datasetId} info={info} />}
      </PageHeader>
      <StateBanner datasetId={datasetId} toNow={paths.dataset} />
      {outcome}
      <div className={classes.sections}>
        {error !== null && (
          <ErrorBox error={error} hint={absenceHint} onRetry={() => void refetch()} />
        )}
        {isKnown && <DatasetDescription info={info} />}
        {isKnown && <DatasetPictures info={info} />}
        {isKnown ? (
          <DatasetFacts info={info} role={role} count={count} provenance={provenance} />
        ) : (
          error === null && <AwaitedFacts />
        )}
        {isKnown && isEmptyView(info, count.data) && <NoItems datasetId={datasetId} info={info} />}
        {/* Nothing of it before all of it is there: a readme would push the rest down. */}
        <Suspense>{isKnown && <DatasetSections info={info} />}</Suspense>
        {isKnown && features.includes('states') && <PastStates datasetId={datasetId} />}
        {isKnown && canDelete && (
          <Button
            variant="default"
            c="var(--danger)"
            className={classes.delete}
            disabled={deleting}
            onClick={() => setAsking(true)}
          >
            delete
          </Button>
        )}
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

/** Whether a view turned out to have no items, and not only so far. */
function isEmptyView({ view }: DatasetInfo, count: Answer<ItemCount> | undefined): boolean {
  return view !== undefined && count?.value.totalItems === 0 && count.progress === undefined
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

type FactsProps = {
  info: DatasetInfo
  role: DatasetRole
  count: UseQueryResult<Answer<ItemCount>>
  provenance: UseQueryResult<Provenance>
}

function DatasetFacts({ info, role, count, provenance }: FactsProps) {
  const { features } = useApp()
  const kind =
    info.view === undefined ? (
      'Repository'
    ) : (
      <>
        View on <Link to={paths.dataset(info.view.base)}>{info.view.base}</Link>
      </>
    )
  const createdBy =
    provenance.data === undefined ? (
      provenance.error?.message
    ) : (
      <PersonName person={provenance.data.createdBy} />
    )
  const createdAt = <Timestamp iso={info.createdAt} />
  const items = (
    <span className={classes.count}>
      {count.data === undefined ? count.error?.message : answerText(count.data)}
    </span>
  )
  return (
    <Facts
      facts={[
        ['kind', kind],
        ['created at', createdAt],
        ...(features.includes('authors') ? [['created by', createdBy] as const] : []),
        ['items', items],
        ...(features.includes('roles')
          ? [['your role', <OwnRole key="role" {...role} />] as const]
          : []),
        ...metadataFacts(info.repo ?? {}),
      ]}
    />
  )
}

const sourceTexts: Record<RoleSource, string> = {
  creator: 'you created it',
  administrator: 'as an administrator',
  grant: 'given to you',
  group: 'by a group',
  everyone: 'as everybody',
}

function OwnRole({ role, source, group }: DatasetRole) {
  const why = group === undefined ? source && sourceTexts[source] : `by the group ${group}`
  return (
    <>
      {role}
      {why !== undefined && <span className={classes.source}>, {why}</span>}
    </>
  )
}

/** Facts that every dataset has, and about how many characters they take. */
const awaitedFacts: [name: string, width: number][] = [
  ['kind', 8],
  ['created at', 14],
  ['items', 5],
]

const skeletonOf = (width: number) => <TextSkeleton width={width} />

function AwaitedFacts() {
  return (
    <div aria-hidden>
      <Facts facts={awaitedFacts.map(([name, width]) => [name, skeletonOf(width)])} />
    </div>
  )
}
