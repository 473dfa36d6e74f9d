import type { ReactNode } from 'react'
import classes from './LiveText.module.css'

/** Text that is loaded after the rest: it fades in, and screen readers announce it. */
export function LiveText({ children }: { children: ReactNode }) {
  return (
    <output className={classes.place}>
      {children !== undefined && <span className={classes.text}>{children}</span>}
    </output>
  )
}
