import '@mantine/core/styles/Input.css'
import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type DatasetAccess,
  type EveryoneRole,
  type Grant,
  type NewGrant,
  type Person,
  everyoneRoles,
  limits,
  roles,
} from '@vitrine/contract'
import { type ReactNode, Suspense, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { grantsChanged } from '../../data/changes.ts'
import { useMay } from '../../roles.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Section } from '../../ui/Section.tsx'
import { ShortTable } from '../../ui/ShortTable.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './Access.module.css'

const GrantForm = lazyPart(async () => (await import('./GrantForm.tsx')).GrantForm)

/** Role to give to somebody instead of what they have, or to take back. */
type Change = { entry: Entry; role: EveryoneRole | undefined }

/** Who may do what on a dataset, and why; its owners change it. */
export function Access({ datasetId }: { datasetId: string }) {
  const { client, queries } = useApp()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(queries.grantList(datasetId))
  const { data: me } = useQuery(queries.whoAmI())
  const may = useMay(datasetId)
  // Until it is known who they are, nobody could be warned of changing their own role.
  const isOwner = me !== undefined && may('owner')
  const [asking, setAsking] = useState<Change>()
  const changing = useMutation({
    mutationFn: async ({ entry: { grant, ...principal }, role }: Change) => {
      if (role !== undefined) {
        await client.grantSet({ datasetId, body: { ...principalOf(principal), role } })
      } else if (grant !== undefined) {
        await client.grantRevoke({ datasetId, grantId: grant.id })
      }
    },
    onSettled: () => grantsChanged(queryClient),
  })
  const change = (next: Change) => {
    if (next.entry.person?.subject === me?.subject) setAsking(next)
    else changing.mutate(next)
  }
  const entries = data && entriesOf(data)
  return (
    <Section title="Who may what">
      <div className={classes.parts}>
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        {changing.error !== null && <ErrorBox error={changing.error} hint="Nothing was changed." />}
        {(error === null || entries !== undefined) && (
          <ShortTable
            label="Who may what"
            columns={columnsFor(isOwner ? change : undefined, changing.isPending)}
            rows={entries}
            rowKey={({ key }) => key}
            expectedRows={2}
            stale={changing.isPending}
          />
        )}
        {data?.grants.length === limits.pageSizeMax && (
          <p className={classes.note}>
            There are more: <code>vitrine who {datasetId}</code> lists all.
          </p>
        )}
        <p className={classes.note}>
          Administrators own every dataset.
          {isOwner && ' Views on it have roles of their own: whoever has one reads what it shows.'}
        </p>
        {me?.groupsOmitted && (
          <p className={classes.note}>
            Your provider did not list your groups when you signed in, so none of them counts.
          </p>
        )}
        {isOwner && (
          <Suspense>
            <GrantForm datasetId={datasetId} />
          </Suspense>
        )}
      </div>
      {asking !== undefined && (
        <ConfirmDialog
          title={
            asking.role === undefined
              ? 'Take back your own role?'
              : `Become ${asking.role} yourself?`
          }
          confirm={asking.role === undefined ? 'Take back' : `Become ${asking.role}`}
          onClose={() => setAsking(undefined)}
          onConfirm={() => changing.mutate(asking)}
        >
          You may not be able to undo this: it takes an owner, and then you may be none.
        </ConfirmDialog>
      )}
    </Section>
  )
}

/** Somebody with a role; `grant` is absent where it comes from elsewhere. */
type Entry = {
  key: string
  person?: Person
  group?: string
  role: EveryoneRole
  why: ReactNode
  grant?: Grant
  /** Whoever created a dataset stays its owner, and groups have what the configuration says. */
  isFixed?: true
}

const isEveryone = ({ person, group }: Entry) => person === undefined && group === undefined

function principalOf({ person, group }: Pick<Entry, 'person' | 'group'>): Omit<NewGrant, 'role'> {
  if (group !== undefined) return { group }
  return person === undefined ? { everyone: true } : { person: person.subject }
}

const byConfiguration = 'by the configuration of the server'

function entriesOf({ creator, everyone, groups, grants }: DatasetAccess): Entry[] {
  const entries = grants.map((grant): Entry => {
    const why = (
      <>
        given by <PersonName person={grant.by} />, <Timestamp iso={grant.since} />
      </>
    )
    const { person, group, role } = grant
    const principal = { ...(person && { person }), ...(group !== undefined && { group }) }
    return { key: String(grant.id), ...principal, role, why, grant }
  })
  const isReplaced = grants.some((grant) => grant.everyone)
  return [
    { key: 'creator', person: creator, role: 'owner', why: 'created it', isFixed: true },
    ...groups.map(({ group, role, pattern }): Entry => ({
      key: `${group} ${role} ${pattern}`,
      group,
      role,
      why: byConfiguration,
      isFixed: true,
    })),
    ...(isReplaced ? [] : [{ key: 'everyone', role: everyone, why: byConfiguration }]),
    ...entries,
  ]
}

/** @param onChange left out for those who may change nothing */
function columnsFor(
  onChange: ((change: Change) => void) | undefined,
  isPending: boolean,
): Column<Entry>[] {
  const columns: Column<Entry>[] = [
    {
      key: 'who',
      header: 'who',
      rowHeader: true,
      cell: (entry) =>
        entry.person === undefined ? nameOf(entry) : <PersonName person={entry.person} />,
    },
    {
      key: 'role',
      header: 'role',
      cell: (entry) =>
        onChange === undefined || entry.isFixed ? (
          entry.role
        ) : (
          <NativeSelect
            size="xs"
            className={classes.role}
            aria-label={`Role of ${nameOf(entry)}`}
            data={[...(isEveryone(entry) ? everyoneRoles : roles)]}
            value={entry.role}
            disabled={isPending}
            onChange={({ currentTarget }) =>
              onChange({ entry, role: currentTarget.value as EveryoneRole })
            }
          />
        ),
    },
    { key: 'why', header: 'why', cell: ({ why }) => <span className={classes.why}>{why}</span> },
  ]
  if (onChange === undefined) return columns
  return [
    ...columns,
    {
      key: 'links',
      header: 'links',
      hideHeader: true,
      end: true,
      cell: (entry) =>
        entry.grant && (
          <Button
            variant="default"
            size="compact-sm"
            disabled={isPending}
            aria-label={`Take back the role of ${nameOf(entry)}`}
            onClick={() => onChange({ entry, role: undefined })}
          >
            Take back
          </Button>
        ),
    },
  ]
}

function nameOf({ person, group }: Entry): string {
  if (group !== undefined) return `group ${group}`
  return person === undefined ? 'everybody signed in' : (person.name ?? person.subject)
}
