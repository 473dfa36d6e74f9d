import { useId, type ReactNode } from 'react'
import classes from './ProgressBar.module.css'

type Props = { label: string; done: number; total: number; children: ReactNode }

/** A bar with its amounts in words beside it. */
export function ProgressBar({ label, done, total, children }: Props) {
  const id = useId()
  return (
    <div className={classes.progress}>
      <span id={id}>{label}</span>
      <progress
        className={classes.bar}
        aria-labelledby={id}
        value={done}
        max={Math.max(1, total)}
      />
      <span className={classes.amounts}>{children}</span>
    </div>
  )
}
