import { useRef, type ReactNode } from 'react'
import { Bone } from './Bone.tsx'
import classes from './Table.module.css'
import { useKeptScroll } from './use-kept-scroll.ts'

export type Column<Row> = {
  key: string
  /** What the column is called; a column of links has a name that only a screen reader says. */
  header: ReactNode
  hideHeader?: boolean
  cell: (row: Row) => ReactNode
  /** Names its row for a screen reader; stays in view in a table that scrolls sideways. */
  rowHeader?: boolean
  /** Set to the end of the line: numbers, links. */
  end?: boolean
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
      <table aria-label={label} aria-busy={rows === undefined || stale} className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ key, header, hideHeader = false, end = false, rowHeader = false }) => (
              <th
                key={key}
                scope="col"
                data-end={end || undefined}
                data-row-header={rowHeader || undefined}
              >
                <span className={hideHeader ? classes.unseen : undefined}>{header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: expectedRows }, (_, index) => (
                <tr key={index} aria-hidden>
                  {columns.map(({ key }) => (
                    <td key={key}>
                      <Bone width={10} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={rowKey(row)} className={classes.row}>
                  {columns.map(({ key, cell, rowHeader = false, end = false }) =>
                    rowHeader ? (
                      <th key={key} scope="row" data-row-header>
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={key} data-end={end || undefined}>
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
