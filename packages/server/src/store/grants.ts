import type { EveryoneRole, Grant, Role } from '@vitrine/contract'
import { sql } from 'kysely'
import { now } from './engine-sql.ts'
import { shownPerson } from './people.ts'
import type { DatasetVersion } from './datasets.ts'
import { statement } from './statement.ts'
import type { WithSlots } from './prepare.ts'
import type { Db, Store, Transaction } from './store.ts'

/** Somebody that a role is given to: a person by `issuer subject`, a group of the provider, or everybody signed in. */
export type Principal =
  { kind: 'person'; key: string } | { kind: 'group'; group: string } | { kind: 'everyone' }

/** Roles that were given on a dataset to a person, to groups, and to everybody. */
export type StoredRoles = DatasetVersion & {
  /** `issuer subject` of the person who created the dataset. */
  creator: string
  everyone: EveryoneRole | undefined
  person: Role | undefined
  groups: { group: string; role: Role }[]
}

type RolesOf = { name: string; key: string }

/**
 * One row a grant, or one of nulls where there is none. Grants are looked for, too, where there is no such dataset: so
 * the time does not tell whether there is one that somebody may not read.
 */
const selectStoredRoles: WithSlots<RolesOf> = (slot) => sql`
  select datasets.id, revision, access_revision as "accessRevision", created_by as creator,
    grants.kind, principal, role
  from (select 1 as one) as once
  left join datasets on name = ${slot('name')}
  left join grants on grants.dataset_id = coalesce(datasets.id, 0)
    and (grants.kind <> 'person' or principal = ${slot('key')})`

type StoredRole = {
  id: number | null
  revision: number
  accessRevision: number
  creator: string
  kind: Principal['kind'] | null
  principal: string
  role: EveryoneRole
}

const selectInTransaction = statement<RolesOf, StoredRole>(selectStoredRoles)

/** Finds the roles that were given on the dataset of a name to a person, to groups, and to everybody. */
export async function findStoredRoles(
  transaction: Transaction,
  of: RolesOf,
): Promise<StoredRoles | undefined> {
  return toStoredRoles(await selectInTransaction(transaction, of))
}

/** Prepares finding them outside of transactions. It is asked at every call about a dataset. */
export function storedRolesFinder({
  prepare,
}: Pick<Store, 'prepare'>): (of: RolesOf) => Promise<StoredRoles | undefined> {
  const select = prepare<
    RolesOf,
    [
      id: number | null,
      revision: number,
      accessRevision: number,
      creator: string,
      kind: Principal['kind'] | null,
      principal: string,
      role: EveryoneRole,
    ]
  >(selectStoredRoles)
  return async (of) => {
    const rows = await select(of)
    return toStoredRoles(
      rows.map(([id, revision, accessRevision, creator, kind, principal, role]) => ({
        id,
        revision,
        accessRevision,
        creator,
        kind,
        principal,
        role,
      })),
    )
  }
}

function toStoredRoles(rows: readonly StoredRole[]): StoredRoles | undefined {
  const [first] = rows
  if (!first?.id) return undefined
  const roleOf = (kind: Principal['kind']) => rows.find((row) => row.kind === kind)?.role
  // Everybody alone may be given none.
  const person = roleOf('person') as Role | undefined
  return {
    id: first.id,
    revision: first.revision,
    accessRevision: first.accessRevision,
    creator: first.creator,
    everyone: roleOf('everyone'),
    person,
    groups: rows.flatMap(({ kind, principal: group, role }) =>
      kind === 'group' ? [{ group, role: role as Role }] : [],
    ),
  }
}

/** Everybody is stored as an empty principal, since a key of nulls would not be unique. */
function principalOf(to: Principal): string {
  if (to.kind === 'everyone') return ''
  return to.kind === 'person' ? to.key : to.group
}

/** Gives a role, in place of the one that was given to them before. */
export async function setGrant(
  transaction: Transaction,
  { datasetId, to, role, by }: { datasetId: number; to: Principal; role: EveryoneRole; by: string },
): Promise<void> {
  await transaction
    .insertInto('grants')
    .values({
      dataset_id: datasetId,
      kind: to.kind,
      principal: principalOf(to),
      role,
      granted_by: by,
      granted_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['dataset_id', 'kind', 'principal'])
        .doUpdateSet({ role, granted_by: by, granted_at: now }),
    )
    .execute()
  await noteChange(transaction, datasetId)
}

/** Deletes a grant of a dataset. */
export async function deleteGrant(
  transaction: Transaction,
  { datasetId, id }: { datasetId: number; id: number },
): Promise<void> {
  await transaction.deleteFrom('grants').where('id', '=', id).execute()
  await noteChange(transaction, datasetId)
}

/** Has nobody take what they know of the roles on a dataset for what is so. */
async function noteChange(transaction: Transaction, datasetId: number): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set((row) => ({ access_revision: row('access_revision', '+', 1) }))
    .where('id', '=', datasetId)
    .execute()
}

/** Deletes all grants of a dataset that is removed for good. */
export async function deleteGrantsOf(transaction: Transaction, datasetId: number): Promise<void> {
  await transaction.deleteFrom('grants').where('dataset_id', '=', datasetId).execute()
}

function selectGrants(db: Db, datasetId: number) {
  return (
    db
      .selectFrom('grants')
      .leftJoin('people as given', 'given.key', 'grants.principal')
      .leftJoin('people as giver', 'giver.key', 'grants.granted_by')
      .selectAll('grants')
      .select(['given.name as given_name', 'giver.name as giver_name'])
      .where('dataset_id', '=', datasetId)
      // By the alphabet: everyone, group, person.
      .orderBy('grants.kind')
      .orderBy('grants.id')
  )
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number]

function toGrant(row: GrantRow): Grant {
  return {
    id: row.id,
    ...shownPrincipal(row),
    role: row.role,
    by: shownPerson({ key: row.granted_by, name: row.giver_name }),
    since: new Date(row.granted_at).toISOString(),
  }
}

function shownPrincipal(row: GrantRow): Pick<Grant, 'person' | 'group' | 'everyone'> {
  const { kind, principal, given_name: name } = row
  if (kind === 'everyone') return { everyone: true }
  return kind === 'group' ? { group: principal } : { person: shownPerson({ key: principal, name }) }
}

/** Lists the grants of a dataset: that of everybody, those of groups, and those of people, each oldest first. */
export async function listGrants(
  db: Db,
  { datasetId, page, pageSize }: { datasetId: number; page: number; pageSize: number },
): Promise<Grant[]> {
  const rows = await selectGrants(db, datasetId)
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map(toGrant)
}

/** Lists the people who were made owners of a dataset, the first given first. */
export async function listOwners(db: Db, datasetId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('grants')
    .select('principal')
    .where('dataset_id', '=', datasetId)
    .where('kind', '=', 'person')
    .where('role', '=', 'owner')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ principal }) => principal)
}

/** Finds a grant of a dataset, by its number or by who has it. */
export async function findGrant(
  db: Db,
  { datasetId, ...which }: { datasetId: number } & ({ id: number } | { to: Principal }),
): Promise<Grant | undefined> {
  const grants = selectGrants(db, datasetId)
  const row = await (
    'id' in which
      ? grants.where('grants.id', '=', which.id)
      : grants.where('kind', '=', which.to.kind).where('principal', '=', principalOf(which.to))
  ).executeTakeFirst()
  return row && toGrant(row)
}
