import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'

type Props = {
  children: ReactNode
  onDismiss?: () => void
  /** Said at once by a screen reader, rather than when it is idle. */
  urgent?: boolean
}

/** One line that concerns the whole app, above the page. */
export function Notice({ children, onDismiss, urgent = false }: Props) {
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      className={classes.notice}
      data-urgent={urgent || undefined}
    >
      <p className={classes.text}>{children}</p>
      {onDismiss !== undefined && (
        <ActionIcon variant="subtle" color="gray" aria-label="Dismiss" onClick={onDismiss}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
