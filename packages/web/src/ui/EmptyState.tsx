import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

type Props = {
  text: string
  /** Shown as a warning: that there is nothing is more than a beginning. */
  warning?: boolean
  children?: ReactNode
}

/** Says that there is nothing, and the one thing to do about it. */
export function EmptyState({ text, warning = false, children }: Props) {
  return (
    <div className={classes.empty} data-warning={warning || undefined}>
      <output className={classes.text}>
        {warning && <IconAlertTriangle size={18} aria-hidden />}
        {text}
      </output>
      {children}
    </div>
  )
}
