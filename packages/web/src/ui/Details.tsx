import type { ReactNode } from 'react'
import classes from './Details.module.css'

/** What is folded until its summary is pressed; on paper it stays as it is. */
export function Details({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>{summary}</summary>
      {children}
    </details>
  )
}
