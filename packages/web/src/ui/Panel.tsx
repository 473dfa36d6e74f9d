import type { ReactNode } from 'react'
import classes from './Panel.module.css'

/** What goes on, or is offered, set off from the page. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes.panel} aria-label={label}>
      {children}
    </section>
  )
}
