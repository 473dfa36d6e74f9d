import { Button } from '@mantine/core'
import type { TokenInfo } from '@vitrine/contract'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RelativeTime } from '../../ui/Time.tsx'

type Props = { token: TokenInfo; onClose: () => void; onRevoke: () => void }

/** Says what revoking a token does, before it does. */
export function RevokeDialog({ token: { name, usedAt }, onClose, onRevoke }: Props) {
  return (
    <Dialog title={`Revoke ${name}?`} onClose={onClose}>
      <p>
        What uses it is refused from that moment on. This cannot be undone.{' '}
        {usedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <RelativeTime iso={usedAt} />.
          </>
        )}
      </p>
      <ButtonRow end>
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
        <Button
          color="var(--danger-strong)"
          onClick={() => {
            onClose()
            onRevoke()
          }}
        >
          Revoke token
        </Button>
      </ButtonRow>
    </Dialog>
  )
}
