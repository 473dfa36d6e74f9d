import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { auditDetails, limits, type DatasetInfo } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './History.module.css'

/** Entries shown at first. */
const shownAtFirst = 5

/** Texts of changes that this version knows. */
const acts: Record<string, string> = {
  'schema-extended': 'extended it',
  'import-published': 'imported items',
  'role-granted': 'gave a role',
  'role-revoked': 'took a role back',
  'link-created': 'made a link',
  'link-revoked': 'revoked a link',
}

/** History of a dataset, newest change first, with who made it. */
export function History({ info }: { info: DatasetInfo }) {
  const { queries } = useApp()
  const { data, error, refetch } = useQuery(queries.datasetProvenance(info.name))
  const [isWhole, setWhole] = useState(false)
  const { createdBy, changes = [] } = data ?? {}
  const shown = isWhole ? changes : changes.slice(0, shownAtFirst)
  return (
    <Section title="History">
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      <ul className={classes.history}>
        {shown.map(({ number, at, what, by, details }) => (
          <li key={number}>
            <Timestamp iso={at} />
            <span>
              {by === undefined ? 'the server' : <PersonName person={by} />} {acts[what] ?? what}
              {details && (
                <span className={classes.details}>
                  {' '}
                  {auditDetails({ details: shownOf(details) })}
                </span>
              )}
            </span>
          </li>
        ))}
        {shown.length < changes.length && (
          <li>
            <Button variant="default" size="compact-sm" onClick={() => setWhole(true)}>
              Show all {changes.length}
            </Button>
          </li>
        )}
        {isWhole && changes.length === limits.pageSizeMax && <li>and more before</li>}
        <li>
          <Timestamp iso={info.createdAt} />
          <span>
            {createdBy ? <PersonName person={createdBy} /> : <TextSkeleton width={8} />} made it
          </span>
        </li>
      </ul>
    </Section>
  )
}

/** Details of a change without the subject of a person, whose name is there. */
function shownOf(details: Record<string, unknown>): Record<string, unknown> {
  const { subject: _, ...shown } = details
  return shown
}
