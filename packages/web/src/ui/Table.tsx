import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useRef, type CSSProperties, type ReactNode } from 'react'
import { Bone } from './Bone.tsx'
import classes from './Table.module.css'
import { useKeptScroll } from './use-kept-scroll.ts'

/** How a column is sorted, if it is, and what its header does about it. */
export type Sort = { direction: 'ascending' | 'descending' | undefined; onToggle: () => void }

export type Column<Row> = {
  key: string
  header: ReactNode
  /** Of a column of links: only a screen reader says its header, and it is not printed. */
  hideHeader?: boolean
  cell: (row: Row) => ReactNode
  /** Names its row for a screen reader; stays in view in a table that scrolls sideways. */
  rowHeader?: boolean
  /** Set to the end of the line: numbers, links. */
  end?: boolean
  /** Of a column that its header sorts. */
  sort?: Sort | undefined
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  /** Absent while they load: as many rows of the same height stand for them. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  expectedRows: number
  /** What is shown is about to be replaced. */
  stale?: boolean
  /** Rows become cards on a narrow screen; otherwise the table scrolls sideways. */
  stacks?: boolean
}

/** A dense table: as high for rows that are on their way as for rows that are there. */
export function Table<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, expectedRows, stale = false, stacks = false } = props
  const frame = useRef<HTMLDivElement>(null)
  useKeptScroll(frame, label, rows !== undefined && !stale)
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-stacks={stacks || undefined}
      {...(!stacks && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      <table
        aria-label={label}
        aria-busy={rows === undefined || stale}
        className={classes.table}
        style={{ '--columns': columns.length } as CSSProperties}
      >
        <thead>
          <tr>
            {columns.map(({ key, ...column }) => (
              <HeaderCell key={key} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: expectedRows }, (_, index) => (
                // No row's key, or the browser would see that row move.
                <tr key={`bone ${index}`} aria-hidden>
                  {columns.map(({ key }) => (
                    <td key={key}>
                      <Bone width={10} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)} className={classes.row}>
                  {columns.map(({ key, cell, rowHeader = false, end = false, hideHeader }) =>
                    rowHeader ? (
                      <th key={key} scope="row" data-row-header>
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={key} data-end={end || undefined} data-links={hideHeader}>
                        {cell(row)}
                      </td>
                    ),
                  )}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

type HeaderProps = Pick<Column<never>, 'header' | 'hideHeader' | 'end' | 'rowHeader' | 'sort'>

function HeaderCell({ header, hideHeader = false, end, rowHeader, sort }: HeaderProps) {
  return (
    <th
      scope="col"
      aria-sort={sort?.direction}
      data-end={end || undefined}
      data-links={hideHeader || undefined}
      data-row-header={rowHeader || undefined}
    >
      {sort === undefined ? (
        <span className={hideHeader ? classes.unseen : undefined}>{header}</span>
      ) : (
        <button type="button" className={classes.sort} onClick={sort.onToggle}>
          {header}
          <span className={classes.arrow} aria-hidden>
            {sort.direction === 'descending' ? (
              <IconArrowDown size={14} />
            ) : (
              <IconArrowUp size={14} />
            )}
          </span>
        </button>
      )}
    </th>
  )
}
