import type { ReactNode } from 'react'
import classes from './LiveText.module.css'

/** A text that comes after the rest, and does so softly; a screen reader is told of it. */
export function Faded({ children }: { children: ReactNode }) {
  return (
    <output className={classes.place}>
      {children !== undefined && <span className={classes.text}>{children}</span>}
    </output>
  )
}
