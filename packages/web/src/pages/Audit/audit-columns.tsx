import { auditDetails, type AuditEntry } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { PersonName } from '../../ui/PersonName.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { actText } from './act-texts.ts'
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
