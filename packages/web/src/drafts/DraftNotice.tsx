import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './DraftNotice.module.css'

/** Says that what is shown was typed before, and offers to begin anew. */
export function DraftNotice({
  onDiscard,
  children,
}: {
  onDiscard: () => void
  children?: ReactNode
}) {
  return (
    <output className={classes.notice}>
      <IconHistory size={16} aria-hidden />
      <span className={classes.text}>
        Draft restored
        {children !== undefined && <span className={classes.more}>{children}</span>}
      </span>
      <Button variant="default" size="compact-sm" onClick={onDiscard}>
        Discard
      </Button>
    </output>
  )
}
