import type { ReactNode } from 'react'
import classes from './Panel.module.css'

/** Section set off from the page, for work under way or an offer. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes.panel} aria-label={label}>
      {children}
    </section>
  )
}
