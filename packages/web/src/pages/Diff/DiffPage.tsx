import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type DatasetChange,
  type DatasetDiff,
  type DatasetInfo,
  type Feature,
  type Item,
  type ItemChange,
  type ShownField,
  type StateInfo,
  auditDetails,
  stateName,
} from '@vitrine/contract'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { namedState } from '../../data/named-state.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Listing } from '../../ui/Listing.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Section } from '../../ui/Section.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import type { Column } from '../../ui/Table.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import { itemColumns } from '../../values/item-columns.tsx'
import { DatasetTabs } from '../DatasetTabs.tsx'
import { StateBanner } from '../States/StateBanner.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import { useParam } from '../use-param.ts'
import { CompareForm } from './CompareForm.tsx'
import classes from './DiffPage.module.css'

/** Changes of a dataset from the state in the address until now, or until the state that its name has. */
export function DiffPage() {
  const datasetId = useParam('datasetId')
  const { queries } = useApp()
  const [search] = useSearchParams()
  const from = stateNumber(search.get('from'))
  const { data: info } = useQuery(queries.datasetGet(datasetId))
  return (
    <>
      <PageHeader
        title={datasetId}
        documentTitle="Changes"
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
        ]}
      >
        <DatasetTabs datasetId={datasetId} info={info} />
      </PageHeader>
      <StateBanner datasetId={datasetId} toNow={(name) => paths.diff(name, from ?? 0)} />
      <CompareForm key={`${datasetId} ${from}`} datasetId={datasetId} from={from} />
      {from !== undefined && <Changes datasetId={datasetId} from={from} info={info} />}
    </>
  )
}

const changesOf = ({ changes }: DatasetDiff) => changes

function Changes({ datasetId, from, info }: ChangesProps) {
  const { queries, features } = useApp()
  const diffOf = useCallback(
    (page: number) => queries.datasetDiff(datasetId, from, page),
    [queries, datasetId, from],
  )
  const queryOf = useCallback((page: number) => ({ ...diffOf(page), select: changesOf }), [diffOf])
  const loaded = usePagedQuery(queryOf)
  const { data: diff } = useQuery({ ...diffOf(loaded.page), placeholderData: keepPreviousData })
  const schema = info?.schema
  const columns = useMemo(() => {
    const before = stateName({ name: namedState(datasetId).datasetId, at: from })
    return changeColumns({ before, after: datasetId, schema: schema ?? [], features })
  }, [datasetId, from, schema, features])
  const total = diff && diff.added + diff.removed
  return (
    <>
      {loaded.error === null && (
        <div className={classes.facts}>
          <Facts
            aligned
            facts={[
              ['from', <State key="from" state={diff?.from} />],
              ['to', <State key="to" state={diff?.to} />],
              ['added', <Count key="added" count={diff?.added} />],
              ['removed', <Count key="removed" count={diff?.removed} />],
            ]}
          />
        </div>
      )}
      <Listing
        label={`Changes of ${datasetId}`}
        // Without the schema there are no columns to put the items in.
        loaded={info === undefined ? { ...loaded, rows: undefined } : loaded}
        columns={columns}
        rowKey={({ change, item }) => `${change} ${item.id}`}
        total={total === undefined ? undefined : showItems(total)}
        all={total === undefined ? undefined : { entries: total, isExact: true }}
        empty={<EmptyState text="Both states have the same items" />}
      />
      {diff !== undefined && diff.extensions.length > 0 && (
        <div className={classes.extensions}>
          <Extensions extensions={diff.extensions} />
        </div>
      )}
    </>
  )
}

type ChangesProps = { datasetId: string; from: number; info: DatasetInfo | undefined }

function State({ state }: { state: StateInfo | undefined }) {
  if (state === undefined) return <TextSkeleton width={24} />
  return (
    <>
      {showItems(state.at)}
      {state.createdAt !== undefined && (
        <>
          , <Timestamp iso={state.createdAt} />
        </>
      )}
    </>
  )
}

function Count({ count }: { count: number | undefined }) {
  return count === undefined ? <TextSkeleton width={8} /> : showItems(count)
}

/** Extensions of the repository between the states, below the items, which they would push down. */
function Extensions({ extensions }: { extensions: readonly DatasetChange[] }) {
  return (
    <Section title="Schema">
      {extensions.map(({ number, at, by, details }) => (
        <p key={number}>
          <Timestamp iso={at} />: {by === undefined ? 'the server' : <PersonName person={by} />}{' '}
          extended it{details && <>: {auditDetails({ details })}</>}
        </p>
      ))}
    </Section>
  )
}

/** Parses the number of items in an address; undefined where there is none. */
function stateNumber(text: string | null): number | undefined {
  return text !== null && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined
}

type ColumnOptions = {
  /** Names of the states, to which the items that only one of them has link. */
  before: string
  after: string
  schema: readonly ShownField[]
  features: readonly Feature[]
}

/** Text of a change: of a correction which item it replaces. */
function changeText({ change, replaces, withdraws }: ItemChange): string {
  if (withdraws !== undefined) return `withdraws ${withdraws}`
  return replaces === undefined ? change : `corrects ${replaces}`
}

/** Columns of a table of changes: what changed, and those of the items. */
function changeColumns({ before, after, ...shown }: ColumnOptions): Column<ItemChange>[] {
  const removed = itemColumns({ datasetId: before, ...shown })
  const added = itemColumns({ datasetId: after, ...shown })
  return [
    { key: 'change', header: 'change', cell: changeText },
    ...added.map((column, index): Column<ItemChange> => {
      const cells: Record<ItemChange['change'], (item: Item) => ReactNode> = {
        added: column.cell,
        removed: removed[index]!.cell,
      }
      return { ...column, cell: ({ change, item }) => cells[change](item) }
    }),
  ]
}
