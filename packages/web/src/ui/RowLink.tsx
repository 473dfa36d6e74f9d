import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './RowLink.module.css'

/** The link that a whole table row stands for: an anchor whose click area covers its row. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.rowLink}>
      {children}
    </Link>
  )
}

/** Another link within such a row; it lies above the row's own. */
export function CellLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.cellLink}>
      {children}
    </Link>
  )
}
