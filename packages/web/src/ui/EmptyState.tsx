import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

/** Says that there is nothing, and the one thing to do about it. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <output>{text}</output>
      {children}
    </div>
  )
}
