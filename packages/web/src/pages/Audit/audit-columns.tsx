import { type AuditedAct, type AuditEntry, auditDetails } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { PersonName } from '../../ui/PersonName.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './AuditPage.module.css'

export const auditColumns: Column<AuditEntry>[] = [
  {
    key: 'number',
    header: 'number',
    rowHeader: true,
    width: '6rem',
    cell: ({ number, hash }) => <span title={`sha256 ${hash}`}>{number}</span>,
  },
  { key: 'at', header: 'at', width: '12rem', cell: ({ at }) => <Timestamp iso={at} /> },
  {
    key: 'by',
    header: 'by',
    cell: ({ by }) => (by === undefined ? 'the server' : <PersonName person={by} />),
  },
  { key: 'what', header: 'what', cell: ({ what }) => actText(what) },
  {
    key: 'dataset',
    header: 'dataset',
    cell: ({ dataset }) =>
      dataset && (
        <Link to={paths.dataset(dataset.name)}>
          <bdi>{dataset.name}</bdi>
        </Link>
      ),
  },
  {
    key: 'details',
    header: 'details',
    line: true,
    cell: (entry) => <span className={classes.details}>{auditDetails(entry)}</span>,
  },
]

/** Texts of acts. */
export const actTexts: Record<AuditedAct, string> = {
  'dataset-created': 'made the dataset',
  'schema-extended': 'extended the repository',
  'import-published': 'imported items',
  'dataset-deleted': 'deleted the dataset',
  'dataset-restored': 'took the dataset back',
  'dataset-removed': 'removed the dataset for good',
  'log-renewed': 'log begun anew',
  'checkpoints-recorded': 'recorded checkpoints',
  'role-granted': 'gave a role',
  'role-revoked': 'took a role back',
  'token-created': 'made an access token',
  'token-revoked': 'revoked an access token',
  'link-created': 'made a link',
  'link-revoked': 'revoked a link',
  'account-added': 'account added',
  'password-set': 'password set',
  'account-removed': 'account removed',
  'name-erased': 'erased a name',
}

/** Returns the text of an act; its name in the log where this version does not know it. */
function actText(what: string): string {
  return Object.hasOwn(actTexts, what) ? actTexts[what as AuditedAct] : what
}
