import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ButtonRow } from './ButtonRow.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  /** Label of the button that does it. */
  confirm: string
  onClose: () => void
  onConfirm: () => void
  /** Says what it does and whether it can be undone. */
  children: ReactNode
}

/** Asks before something that is hard to undo; what is there is kept unless it is confirmed. */
export function ConfirmDialog({ title, confirm, onClose, onConfirm, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <ButtonRow end>
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button
          color="var(--danger-strong)"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {confirm}
        </Button>
      </ButtonRow>
    </Dialog>
  )
}
