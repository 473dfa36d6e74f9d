import { Button } from '@mantine/core'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import classes from './credentials.module.css'
import type { Column } from './Table.tsx'
import { RelativeTime, Timestamp } from './Time.tsx'

/** An access token or a signed link, as lists of them show it. Moments are ISO 8601 in UTC. */
type Credential = { name: string; expiresAt: string | null; usedAt: string | null }

/** Columns of a list of credentials: name, `own` ones, expiry, last use, and the button that revokes one. */
export function credentialColumns<Row extends Credential>(
  own: readonly Column<Row>[],
  onRevoke: (row: Row) => void,
): Column<Row>[] {
  return [
    {
      key: 'name',
      header: 'name',
      rowHeader: true,
      cell: ({ name }) => (
        <span dir="auto" className={classes.name}>
          {name}
        </span>
      ),
    },
    ...own,
    { key: 'expires', header: 'expires', cell: ({ expiresAt }) => <Expires at={expiresAt} /> },
    {
      key: 'used',
      header: 'last used',
      cell: ({ usedAt }) => (usedAt === null ? 'never' : <RelativeTime iso={usedAt} />),
    },
    {
      key: 'links',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: (row) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Revoke ${row.name}`}
          onClick={() => onRevoke(row)}
        >
          Revoke
        </Button>
      ),
    },
  ]
}

function Expires({ at }: { at: string | null }) {
  if (at === null) return 'never'
  if (!isPast(at)) return <Timestamp iso={at} />
  return (
    <>
      expired <RelativeTime iso={at} />
    </>
  )
}

function isPast(iso: string): boolean {
  return new Date(iso).getTime() <= Date.now()
}

/** Asks whether a credential is to be revoked, and says when it was last used. */
export function RevokeDialog({
  credential: { name, usedAt },
  kind,
  consequence,
  onClose,
  onConfirm,
}: {
  credential: Credential
  kind: 'token' | 'link'
  /** Sentence on what comes of it. */
  consequence: string
  onClose: () => void
  onConfirm: () => void
}) {
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm={`Revoke ${kind}`}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {consequence} This cannot be undone.{' '}
      {usedAt === null ? (
        'It was never used.'
      ) : (
        <>
          It was last used <RelativeTime iso={usedAt} />.
        </>
      )}
    </ConfirmDialog>
  )
}
