import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { fileNameOf } from './file-key.ts'

type Props = { importKey: string; onClose: () => void; onCancel: () => void }

/** Says what cancelling an import takes away, before it does. */
export function CancelDialog({ importKey, onClose, onCancel }: Props) {
  return (
    <ConfirmDialog
      title={`Cancel the import of ${fileNameOf(importKey)}?`}
      confirm="Cancel the import"
      onClose={onClose}
      onConfirm={onCancel}
    >
      What was sent is discarded, and would have to be sent again. The repository stays as it is.
    </ConfirmDialog>
  )
}
