import type { ReactNode } from 'react'
import classes from './Details.module.css'

type Props = {
  summary: string
  /** Whether it is unfolded at first. */
  isOpen?: boolean
  children: ReactNode
}

/** A part of a page that is folded until its summary is pressed; on paper it stays as it is. */
export function Details({ summary, isOpen, children }: Props) {
  return (
    <details className={classes.details} open={isOpen}>
      <summary className={classes.summary}>{summary}</summary>
      {children}
    </details>
  )
}
