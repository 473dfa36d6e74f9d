import '@mantine/core/styles/Input.css'
import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import type { DatasetKind, DatasetSort, FoundDataset } from '@vitrine/contract'
import { useCallback, useMemo, type ReactNode } from 'react'
import { useApp } from '../../app-context.tsx'
import { foundItemEntry } from '../../data/found-item.ts'
import type { DatasetFilter } from '../../data/queries.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkList } from '../../ui/LinkList.tsx'
import { Listing } from '../../ui/Listing.tsx'
import { LiveText } from '../../ui/LiveText.tsx'
import { LookChoice } from '../../ui/LookChoice.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { Section } from '../../ui/Section.tsx'
import type { Column } from '../../ui/Table.tsx'
import { usePagedQuery } from '../use-paged-query.ts'
import { DatasetCards } from './DatasetCards.tsx'
import classes from './FoundDatasets.module.css'
import { foundColumns } from './found-columns.tsx'
import { News } from './News.tsx'
import { useDatasetsSearch } from './use-datasets-search.ts'
import { useLastVisit } from './use-last-visit.ts'
import { useListLook } from './use-list-look.ts'

type Props = {
  label: string
  /** Datasets of this kind only. */
  kind?: DatasetKind
  /** The columns that are specified. */
  columns: readonly Column<FoundDataset>[]
  /** Shown where there are none at all. */
  empty: ReactNode
}

/** Datasets that one searches, filters and sorts, as a list or as cards. */
export function FoundDatasets({ label, kind, columns, empty }: Props) {
  const { queries } = useApp()
  const { query, ask } = useDatasetsSearch()
  const [look, setLook] = useListLook()
  const since = useLastVisit()
  const wanted = useMemo(() => ({ ...query, ...(kind && { kind }) }), [query, kind])
  const queryOf = useCallback(
    (page: number) => queries.datasetSearch(wanted, page),
    [queries, wanted],
  )
  const loaded = usePagedQuery(queryOf)
  const isNarrowed = query.q !== undefined || (kind === undefined && query.kind !== undefined)
  const shownColumns = useMemo(
    () => foundColumns(columns, { kind, since, sort: query.sort, onSort: (sort) => ask({ sort }) }),
    [columns, kind, since, query.sort, ask],
  )
  return (
    <>
      <search className={classes.bar}>
        <div className={classes.box}>
          <SearchBox
            label={`Search ${label.toLowerCase()}`}
            placeholder="Name, description or field"
            pauseMs={150}
            value={query.q ?? ''}
            onSearch={(q) => ask({ q }, { replace: true })}
          />
        </div>
        {kind === undefined && (
          <NativeSelect
            aria-label="Kind"
            value={query.kind ?? ''}
            onChange={({ currentTarget }) =>
              ask({ kind: (currentTarget.value || undefined) as DatasetKind | undefined })
            }
          >
            <option value="">All kinds</option>
            <option value="repo">Repositories</option>
            <option value="view">Views</option>
          </NativeSelect>
        )}
        <NativeSelect
          aria-label="Sort by"
          value={query.sort ?? ''}
          onChange={({ currentTarget }) =>
            ask({ sort: (currentTarget.value || undefined) as DatasetSort | undefined })
          }
        >
          <option value="">{query.q === undefined ? 'Newest first' : 'Best match'}</option>
          {sortsBeside(query).map(([sort, name]) => (
            <option key={sort} value={sort}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <LookChoice looks={looks} chosen={look} onChoose={setLook} size="2.25rem" />
        <p className={classes.found} data-awaited={since !== undefined || undefined}>
          <LiveText>{isNarrowed && !loaded.stale ? foundText(loaded) : undefined}</LiveText>
          {!isNarrowed && since !== undefined && <News kind={kind} since={since} />}
        </p>
      </search>
      <div className={classes.list}>
        <Listing
          label={label}
          loaded={loaded}
          columns={shownColumns}
          rowKey={nameOf}
          stacks
          {...(look === 'cards' && {
            instead: (
              <DatasetCards
                label={label}
                datasets={loaded.rows}
                expected={loaded.pageSize}
                stale={loaded.stale}
                addsItems={kind === 'repo'}
                since={since}
              />
            ),
          })}
          empty={
            isNarrowed ? (
              <EmptyState text="Nothing was found. Words are looked for in names, descriptions and fields.">
                <ButtonLink to="." variant="default">
                  Show all
                </ButtonLink>
              </EmptyState>
            ) : (
              empty
            )
          }
        />
      </div>
      {kind === undefined && query.q !== undefined && (
        <div className={classes.items}>
          <FoundItems q={query.q} />
        </div>
      )}
    </>
  )
}

/** Items of all repositories whose texts are what is looked for, below the datasets; nothing where there are none. */
function FoundItems({ q }: { q: string }) {
  const { queries } = useApp()
  const { data } = useQuery({ ...queries.itemSearch(q), placeholderData: keepPreviousData })
  if (data === undefined || data.items.length === 0) return null
  const links = data.items.map((item) => {
    const { label, about, to } = foundItemEntry(item)
    return { label: `${label} · ${about}`, to }
  })
  return (
    <Section title="Items">
      <LinkList links={links} />
    </Section>
  )
}

const sortNames: Record<DatasetSort, string> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-items': 'Most items',
  items: 'Fewest items',
  '-addedAt': 'Last added to',
  addedAt: 'Longest untouched',
}

/** Without words the newest come first anyhow. */
function sortsBeside({ q, sort }: DatasetFilter): [string, string][] {
  const all = Object.entries(sortNames)
  return q === undefined && sort !== '-createdAt'
    ? all.filter(([each]) => each !== '-createdAt')
    : all
}

const nameOf = ({ name }: FoundDataset) => name

const looks = [
  { look: 'list', name: 'List', Icon: IconList },
  { look: 'cards', name: 'Cards', Icon: IconLayoutGrid },
] as const

type Found = { rows: readonly unknown[] | undefined; page: number; pageSize: number }

function foundText({ rows, page, pageSize }: Found): string | undefined {
  if (rows === undefined || rows.length === 0) return undefined
  const count = page * pageSize + rows.length
  return `${count.toLocaleString()} ${rows.length === pageSize ? 'or more ' : ''}found`
}
