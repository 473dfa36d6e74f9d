import { Button } from '@mantine/core'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { fileNameOf } from './file-key.ts'

type Props = { importKey: string; onClose: () => void; onCancel: () => void }

/** Says what cancelling an import takes away, before it does. */
export function CancelDialog({ importKey, onClose, onCancel }: Props) {
  return (
    <Dialog title={`Cancel the import of ${fileNameOf(importKey)}?`} onClose={onClose}>
      <p>
        What was sent is discarded, and would have to be sent again. The repository stays as it is.
      </p>
      <ButtonRow end>
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button
          color="var(--danger-strong)"
          onClick={() => {
            onClose()
            onCancel()
          }}
        >
          Cancel the import
        </Button>
      </ButtonRow>
    </Dialog>
  )
}
