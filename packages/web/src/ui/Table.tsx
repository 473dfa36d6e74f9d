import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  memo,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react'
import { ColumnWidth, type Resize } from './ColumnWidth.tsx'
import { moveByKey } from './row-keys.ts'
import { TextSkeleton } from './TextSkeleton.tsx'
import classes from './Table.module.css'
import { useLocation } from 'react-router'
import { isScrollStaying } from './kept-scroll.ts'
import { usePinnedColumns } from './use-pinned-columns.ts'

/** Scroll positions of boxes that scroll by themselves, by entry of the browser's history. */
const positions = new Map<string, { top: number; left: number }>()

/**
 * Puts the scroll of a box back when the browser returns to a page, as is done for the window; a page
 * that is new begins at its top. `ready` says that what is to be scrolled is there.
 */
function useKeptScroll(box: RefObject<HTMLElement | null>, name: string, ready: boolean) {
  const { key, state } = useLocation()
  const stays = isScrollStaying(state)
  const hasScrolled = useRef(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!ready || element === null) return
    const place = `${key} ${name}`
    const position = positions.get(place)
    // What never scrolled stands at its top, and scrolling takes a layout.
    if (position !== undefined) element.scrollTo(position)
    else if (!stays && hasScrolled.current) element.scrollTo({ top: 0 })
    const keep = () => {
      hasScrolled.current = true
      positions.set(place, { top: element.scrollTop, left: element.scrollLeft })
    }
    element.addEventListener('scroll', keep, { passive: true })
    return () => element.removeEventListener('scroll', keep)
  }, [box, key, name, ready, stays])
}

/** How a column is sorted, if it is, and what its header does about it. */
export type Sort = { direction: 'ascending' | 'descending' | undefined; onToggle: () => void }

export type Column<Row> = {
  key: string
  header: ReactNode
  /** Stands in the second row of the head, which a table has where one of its columns has this. */
  belowHeader?: ReactNode
  /** Stands over the free space of its head. */
  action?: ReactNode
  /** Hides the header but for screen readers, and in print: for a column of links. */
  hideHeader?: boolean
  cell: (row: Row) => ReactNode
  /** Names its row for a screen reader; stays in view in a table that scrolls sideways. */
  rowHeader?: boolean
  /** Stays in view beside the row header, as far as there is room; such columns stand together behind it. */
  pinned?: boolean | undefined
  /** Resizing, of a column whose width can be set. */
  resize?: Resize | undefined
  /** Set to the end of the line: numbers, links. */
  end?: boolean
  /** Sorting, of a column that its header sorts. */
  sort?: Sort | undefined
  /** Has a line of its own where rows become cards. */
  line?: boolean
  /** Width in a table that shares out its own; columns without one have what is left, in equal parts. */
  width?: string
  /** The column is there from windows of 48, 64 or 80 rem on, and where rows become cards. */
  from?: 'small' | 'medium' | 'wide'
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  /** Absent while they load: as many rows of the same height stand for them. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string | number
  /** The key of the row that is shown elsewhere on the page. */
  currentRow?: string | undefined
  expectedRows: number
  /** Whether the rows shown are about to be replaced. */
  stale?: boolean
  /** Rows become cards on a narrow screen; otherwise the table scrolls sideways. */
  stacks?: boolean
}

/**
 * A dense table: as high for rows that are on their way as for rows that are there. The first rows are
 * rendered in slices, behind what stands for them, so that a slow device stays responsive.
 */
export function Table<Row>(props: Props<Row>) {
  const before = useDeferredValue(props)
  const waits = before.rows === undefined && props.rows !== undefined
  return <TableNow {...(waits ? before : props)} />
}

const TableNow = memo(TableContent) as typeof TableContent

function TableContent<Row>(props: Props<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    currentRow,
    expectedRows,
    stale = false,
    stacks = false,
  } = props
  const frame = useRef<HTMLDivElement>(null)
  useKeptScroll(frame, label, rows !== undefined && !stale)
  const pins = columns.flatMap(({ key, pinned }) => (pinned === true ? [key] : []))
  usePinnedColumns(frame, pins.join('\n'))
  const firstSized = columns.find(({ resize }) => resize !== undefined)?.key
  const pinOf = (key: string) => pinAt(pins.indexOf(key))
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-stacks={stacks || undefined}
      data-shared={columns.some(({ width }) => width !== undefined) || undefined}
      style={{ '--columns': columns.length } as CSSProperties}
      {...(!stacks && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      <table aria-label={label} aria-busy={rows === undefined || stale} className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ key, ...column }) => (
              <HeaderCell key={key} {...column} {...pinOf(key)} isFirst={key === firstSized} />
            ))}
          </tr>
          {columns.some(({ belowHeader }) => belowHeader !== undefined) && (
            <tr className={classes.belowHeader}>
              {columns.map(({ key, belowHeader, rowHeader, hideHeader, from }) => (
                <td
                  key={key}
                  data-row-header={rowHeader || undefined}
                  data-links={hideHeader || undefined}
                  data-from={from}
                  {...pinOf(key)}
                >
                  {belowHeader}
                </td>
              ))}
            </tr>
          )}
        </thead>
        {/* The keys are those of the links and buttons in it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onKeyDown={moveByKey}>
          {rows === undefined
            ? Array.from({ length: expectedRows }, (_, index) => (
                // No row's key, or the browser would see that row move.
                <tr key={`skeleton ${index}`} aria-hidden>
                  {columns.map(({ key, from, end }) => (
                    <td key={key} data-from={from} data-end={end}>
                      <TextSkeleton width={10} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr
                  key={rowKey(row)}
                  className={classes.row}
                  data-row={rowKey(row)}
                  aria-current={String(rowKey(row)) === currentRow || undefined}
                >
                  {columns.map(
                    ({ key, cell, rowHeader = false, end = false, hideHeader, from, line }) =>
                      rowHeader ? (
                        <th key={key} scope="row" data-row-header>
                          {cell(row)}
                        </th>
                      ) : (
                        <td
                          key={key}
                          data-end={end || undefined}
                          data-links={hideHeader}
                          data-from={from}
                          data-line={line}
                          {...pinOf(key)}
                        >
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

/** Place at which a cell in a pinned column stays. */
type Pin = { 'data-pinned'?: true; style?: CSSProperties }

const unpinned: Pin = {}

function pinAt(index: number): Pin {
  if (index === -1) return unpinned
  return { 'data-pinned': true, style: { '--pin': `var(--pin-${index + 1})` } as CSSProperties }
}

type HeaderProps = Omit<Column<never>, 'key' | 'cell' | 'belowHeader'> &
  Pin & { /** Whether it is the first whose width can be set. */ isFirst: boolean }

function HeaderCell(column: HeaderProps) {
  const {
    header,
    hideHeader = false,
    end,
    rowHeader,
    sort,
    width,
    from,
    resize,
    style,
    action,
  } = column
  const isSized = resize?.width !== undefined
  return (
    <th
      scope="col"
      style={{ width, ...style, ...(isSized && { '--width': `${resize.width}px` }) }}
      // What it is the head of, without what changes its width.
      aria-label={resize?.name}
      data-pinned={column['data-pinned']}
      data-sized={isSized || undefined}
      data-from={from}
      aria-sort={sort?.direction}
      data-end={end || undefined}
      data-links={hideHeader || undefined}
      data-row-header={rowHeader || undefined}
    >
      {sort === undefined ? (
        <span className={hideHeader ? classes.visuallyHidden : classes.name}>{header}</span>
      ) : (
        <button type="button" className={classes.sort} onClick={sort.onToggle}>
          <span className={classes.name}>{header}</span>
          <span className={classes.arrow} aria-hidden>
            {sort.direction === 'descending' ? (
              <IconArrowDown size={14} />
            ) : (
              <IconArrowUp size={14} />
            )}
          </span>
        </button>
      )}
      {action}
      {resize && <ColumnWidth {...resize} isFirst={column.isFirst} />}
    </th>
  )
}
