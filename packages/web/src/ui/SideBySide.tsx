import type { ReactNode } from 'react'
import classes from './SideBySide.module.css'

/** Two columns of sections where a window is wide; elsewhere the second stands below the first. */
export function SideBySide({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.column}>{first}</div>
      <div className={classes.column}>{second}</div>
    </div>
  )
}
