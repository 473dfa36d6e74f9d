import type { ReactNode } from 'react'
import classes from './ButtonRow.module.css'

export function ButtonRow({ children, end = false }: { children: ReactNode; end?: boolean }) {
  return (
    <div className={classes.row} data-end={end || undefined}>
      {children}
    </div>
  )
}
