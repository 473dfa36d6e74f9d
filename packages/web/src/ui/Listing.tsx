import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { ButtonLink } from './ButtonLink.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ErrorBox } from './ErrorBox.tsx'
import classes from './Listing.module.css'
import { Pager } from './Pager.tsx'
import { type AllEntries, isPastEnd, pageSearch } from './paging.ts'
import { type Column, Table } from './Table.tsx'

/** One page of a list, as far as it is known. */
export type Loaded<Row> = {
  page: number
  pageSize: number
  rows: readonly Row[] | undefined
  error: Error | null
  /** The rows are those of the page before, until this one's are there. */
  stale: boolean
  retry: () => void
}

type Props<Row> = {
  label: string
  loaded: Loaded<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** Shown instead of the table when the list is empty. */
  empty: ReactNode
  /** How many entries there are on all pages, where known. */
  total?: string | undefined
  /** Number of all entries, where a page can be reached by its number. */
  all?: AllEntries | undefined
  /** There may be more than was found so far: that there is nothing is not known yet. */
  growing?: boolean
  stacks?: boolean
  /** The key of the row that is shown elsewhere on the page. */
  currentRow?: string | undefined
  /** Shown instead of the table. */
  instead?: ReactNode
}

/** A list by pages: its table and pager, that it is empty, or why it could not be loaded. */
export function Listing<Row>(props: Props<Row>) {
  const {
    label,
    loaded,
    columns,
    rowKey,
    empty,
    total,
    all,
    growing = false,
    stacks = false,
    instead,
  } = props
  const { page, pageSize, error, stale, retry } = loaded
  const rows = growing && loaded.rows?.length === 0 ? undefined : loaded.rows
  const { search } = useLocation()
  const paged = { page, pageSize, entries: stale ? undefined : rows?.length }
  const isLoading = paged.entries === undefined && error === null
  return (
    <div className={classes.listing}>
      {error !== null && <ErrorBox error={error} onRetry={retry} />}
      {content()}
      <Pager {...paged} isLoading={isLoading} total={total} all={all} />
    </div>
  )

  function content(): ReactNode {
    if (rows === undefined && error !== null) return null
    if (isPastEnd(paged)) {
      return (
        <EmptyState text="There is nothing on this page: the list ends before it.">
          <ButtonLink to={pageSearch(search, page - 1)}>Previous page</ButtonLink>
        </EmptyState>
      )
    }
    if (rows?.length === 0 && !stale) return empty
    if (instead !== undefined) return instead
    return (
      <Table
        label={label}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        currentRow={props.currentRow}
        expectedRows={pageSize}
        stale={stale}
        stacks={stacks}
      />
    )
  }
}
