import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useBlocker } from 'react-router'
import classes from './LeaveDialog.module.css'

type Props = {
  uploading: () => boolean
  /** What leaving does. */
  children: ReactNode
}

/** Asks before a page is left while an upload is under way. */
export function LeaveDialog({ uploading, children }: Props) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      uploading() && currentLocation.pathname !== nextLocation.pathname,
  )
  const dialog = useRef<HTMLDialogElement>(null)
  const isAsked = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsked) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isAsked])

  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby="leave-title"
      onClose={() => blocker.reset?.()}
    >
      <h2 id="leave-title">An upload is under way</h2>
      <p>{children}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => dialog.current?.close()}>
          Stay
        </Button>
        <Button onClick={() => blocker.proceed?.()}>Leave</Button>
      </div>
    </dialog>
  )
}
