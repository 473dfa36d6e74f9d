import { useQuery } from '@tanstack/react-query'
import { type DatasetInfo, type ItemVersion, includesRole } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { useRole } from '../../roles.ts'
import { PersonName } from '../../ui/PersonName.tsx'
import { Section } from '../../ui/Section.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import states from '../States/States.module.css'
import { CorrectionActions } from './CorrectionActions.tsx'
import classes from './ItemVersions.module.css'

/** Version that an item is, the one before and the latest one. */
type Chain = {
  versions: readonly ItemVersion[]
  own: ItemVersion
  before: ItemVersion | undefined
  next: ItemVersion | undefined
  latest: ItemVersion
}

/**
 * Reads the versions of an item: `chain` is undefined of one that has no others. `actions` are what somebody may do: the
 * latest version is corrected by curators of its repository and by whoever added it.
 */
export function useItemVersions(
  datasetId: string,
  { itemId, info }: { itemId: string; info: DatasetInfo | undefined },
) {
  const { queries, features } = useApp()
  const { data: repo, isLoading: isRepoLoading } = useQuery({
    ...queries.repoOfView(datasetId),
    enabled: features.includes('corrections') && info?.view !== undefined,
  })
  const role = useRole(repo ?? datasetId)?.role
  const subject = useAuth().user?.profile.sub
  const found = useQuery(queries.datasetVersionList(datasetId, itemId))
  const author = useQuery(queries.datasetItemAuthor(datasetId, itemId))
  if (!features.includes('corrections')) return { chain: undefined, isLoading: false }
  const versions = found.data ?? []
  const at = versions.findIndex(({ id }) => String(id) === itemId)
  const [before, own, next] = [versions[at - 1], versions[at], versions[at + 1]]
  const chain: Chain | undefined =
    own && versions.length > 1
      ? { versions, own, before, next, latest: versions.at(-1)! }
      : undefined
  const isOwn = subject !== undefined && author.data?.author?.subject === subject
  const may = role !== undefined && includesRole(role, isOwn ? 'contributor' : 'curator')
  const repoName = info?.view === undefined ? datasetId : repo
  const isCorrectable = own && !next && info !== undefined && info.state === undefined
  return {
    chain,
    isLoading: found.isLoading || author.isLoading || isRepoLoading || role === undefined,
    actions: may && isCorrectable && repoName !== undefined && (
      <CorrectionActions repo={repoName} itemId={itemId} isWithdrawn={own.change === 'withdrawn'} />
    ),
  }
}

/** Says what an item replaces, and what has replaced it. */
export function VersionBanner({
  datasetId,
  chain: { own, before, next, latest },
}: {
  datasetId: string
  chain: Chain
}) {
  return (
    <aside className={states.banner} aria-label="Version">
      <div className={classes.said}>
        {next && latest.change === 'withdrawn' && (
          <p>
            <b>Withdrawn</b>
            <Reason of={latest} />
          </p>
        )}
        {next && latest.change !== 'withdrawn' && (
          <p>
            <b>Replaced</b> by <VersionLink datasetId={datasetId} version={next} />
            <Reason of={next} />
          </p>
        )}
        {before && (
          <p>
            {own.change === 'withdrawn' ? 'Withdraws ' : 'Corrects '}
            <VersionLink datasetId={datasetId} version={before} />
            <Reason of={own} />
          </p>
        )}
      </div>
      {next && isShown(latest) && (
        <span className={states.links}>
          <Link to={paths.item(datasetId, latest.id)}>Go to the latest version</Link>
        </span>
      )}
    </aside>
  )
}

type Props = { datasetId: string; chain: Chain | undefined; actions: ReactNode }

/** Versions of an item, from the first on, with who made each and why. */
export function ItemVersions({ datasetId, chain, actions }: Props) {
  return (
    <Section title="Versions">
      {chain === undefined && <p className={classes.only}>This is the only one.</p>}
      <ol className={classes.versions}>
        {chain?.versions.map((version) => (
          <li key={version.id} aria-current={version === chain.own || undefined}>
            <VersionLink datasetId={datasetId} version={version} />
            <span>
              {version.change}
              {version.createdAt !== undefined && (
                <>
                  {' '}
                  <Timestamp iso={version.createdAt} />
                </>
              )}
              {version.author && (
                <>
                  {' by '}
                  <PersonName person={version.author} />
                </>
              )}
              <Reason of={version} />
            </span>
          </li>
        ))}
      </ol>
      {actions && <div className={classes.actions}>{actions}</div>}
    </Section>
  )
}

/** Views may have some of the versions only. */
const isShown = ({ createdAt }: ItemVersion) => createdAt !== undefined

function VersionLink({ datasetId, version }: { datasetId: string; version: ItemVersion }) {
  const text = `item ${version.id}`
  return isShown(version) ? (
    <Link to={paths.item(datasetId, version.id)}>{text}</Link>
  ) : (
    <span>
      {text}, which is not in {datasetId}
    </span>
  )
}

function Reason({ of: { reason } }: { of: ItemVersion }) {
  if (reason === undefined) return null
  return (
    <>
      : <q dir="auto">{reason}</q>
    </>
  )
}
