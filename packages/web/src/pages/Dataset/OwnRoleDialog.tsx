import { Button } from '@mantine/core'
import type { Role } from '@vitrine/contract'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

type Props = { role: Role | undefined; onClose: () => void; onConfirm: () => void }

/** Says that one's own role cannot be given back by oneself, before it is changed. */
export function OwnRoleDialog({ role, onClose, onConfirm }: Props) {
  const title = role === undefined ? 'Take back your own role?' : `Become ${role} yourself?`
  return (
    <Dialog title={title} onClose={onClose}>
      <p>You may not be able to undo this: it takes an owner, and then you may be none.</p>
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
          {role === undefined ? 'Take back' : `Become ${role}`}
        </Button>
      </ButtonRow>
    </Dialog>
  )
}
