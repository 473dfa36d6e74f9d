import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useBlocker } from 'react-router'
import { ButtonRow } from '../ui/ButtonRow.tsx'
import { Dialog } from '../ui/Dialog.tsx'

type Props = {
  uploading: () => boolean
  /** Describes the effect of leaving. */
  children: ReactNode
}

/** Asks before a page is left while an upload is under way. */
export function LeaveDialog({ uploading, children }: Props) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      uploading() && currentLocation.pathname !== nextLocation.pathname,
  )
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title="An upload is under way" onClose={blocker.reset}>
      <p>{children}</p>
      <ButtonRow end>
        <Button variant="default" onClick={blocker.reset}>
          Stay
        </Button>
        <Button onClick={blocker.proceed}>Leave</Button>
      </ButtonRow>
    </Dialog>
  )
}
