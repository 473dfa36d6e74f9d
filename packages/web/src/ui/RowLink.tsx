import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './RowLink.module.css'

type RowLinkProps = {
  to: string
  /** Kept in the history beside the address. */
  state?: object | undefined
  /** Another link of the row leads to the same place: the keyboard stops at that one only. */
  second?: boolean
  /** A `RowCover` takes the clicks on the row: this link takes those on its text only. */
  bounded?: boolean
  children: ReactNode
}

/**
 * The link that a whole table row stands for: an anchor whose click area covers its row, or in a cell
 * that stays in view that cell.
 */
export function RowLink({ to, state, second = false, bounded, children }: RowLinkProps) {
  return (
    <Link
      to={to}
      state={state}
      className={classes.rowLink}
      tabIndex={second ? -1 : undefined}
      data-bounded={bounded}
    >
      {children}
    </Link>
  )
}

/** Tells whether a click on an element of a row is one on the row, and not on a link or button of its own. */
export function isOnRow(target: Element): boolean {
  const link = target.closest('a, button')
  return link !== null && link.matches(`.${classes.rowLink}:not([data-bounded])`)
}

/** Extends the click area of a row's link over its row, or over a cell that stays in view, which lies above it. */
export function RowCover({ to, state }: Pick<RowLinkProps, 'to' | 'state'>) {
  return <Link to={to} state={state} className={classes.rowLink} tabIndex={-1} aria-hidden />
}

/** Another link within such a row; it lies above the row's own. */
export function CellLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.cellLink}>
      {children}
    </Link>
  )
}
