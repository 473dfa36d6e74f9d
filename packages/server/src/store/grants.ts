import type { Grant, Role } from '@vitrine/contract'
import { sql } from 'kysely'
import { now } from './engine-sql.ts'
import { shownPerson } from './people.ts'
import { statement } from './statement.ts'
import type { WithSlots } from './prepare.ts'
import type { Db, Store, Transaction } from './store.ts'

/** Somebody that a role is given to: a person by `issuer subject`, or everybody signed in. */
export type Principal = { kind: 'person'; key: string } | { kind: 'everyone' }

/** Roles that a person, and everybody, were given on a dataset; null where none was. */
export type StoredRoles = {
  id: number
  /** `issuer subject` of the person who created the dataset. */
  creator: string
  everyone: Role | null
  person: Role | null
}

type RolesOf = { name: string; key: string }

const selectStoredRoles: WithSlots<RolesOf> = (slot) => sql`
  select datasets.id, created_by as creator, everyone.role as everyone, person.role as person
  from datasets
  left join grants as everyone on everyone.dataset_id = datasets.id and everyone.kind = 'everyone'
  left join grants as person on person.dataset_id = datasets.id
    and person.kind = 'person' and person.principal = ${slot('key')}
  where name = ${slot('name')}`

const selectInTransaction = statement<RolesOf, StoredRoles>(selectStoredRoles)

/** Finds the roles that a person, and everybody, were given on the dataset of a name. */
export async function findStoredRoles(
  transaction: Transaction,
  of: RolesOf,
): Promise<StoredRoles | undefined> {
  return (await selectInTransaction(transaction, of))[0]
}

/** Prepares finding them outside of transactions. It is asked at every call about a dataset. */
export function storedRolesFinder({
  prepare,
}: Pick<Store, 'prepare'>): (of: RolesOf) => Promise<StoredRoles | undefined> {
  const select = prepare<
    RolesOf,
    [id: number, creator: string, everyone: Role | null, person: Role | null]
  >(selectStoredRoles)
  return async (of) => {
    const [row] = await select(of)
    if (row === undefined) return undefined
    const [id, creator, everyone, person] = row
    return { id, creator, everyone, person }
  }
}

/** Everybody is stored as an empty principal, since a key of nulls would not be unique. */
const principalOf = (to: Principal) => (to.kind === 'person' ? to.key : '')

/** Gives a role, in place of the one that was given to them before. */
export async function setGrant(
  transaction: Transaction,
  { datasetId, to, role, by }: { datasetId: number; to: Principal; role: Role; by: string },
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
}

export async function deleteGrant(transaction: Transaction, id: number): Promise<void> {
  await transaction.deleteFrom('grants').where('id', '=', id).execute()
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
      // Everybody comes first.
      .orderBy('grants.kind')
      .orderBy('grants.id')
  )
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number]

function toGrant(row: GrantRow): Grant {
  return {
    id: row.id,
    ...(row.kind === 'person'
      ? { person: shownPerson({ key: row.principal, name: row.given_name }) }
      : { everyone: true }),
    role: row.role,
    by: shownPerson({ key: row.granted_by, name: row.giver_name }),
    since: new Date(row.granted_at).toISOString(),
  }
}

/** Lists the grants of a dataset: that of everybody, then oldest first. */
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
): Promise<{ grant: Grant; to: Principal } | undefined> {
  const grants = selectGrants(db, datasetId)
  const row = await (
    'id' in which
      ? grants.where('grants.id', '=', which.id)
      : grants.where('kind', '=', which.to.kind).where('principal', '=', principalOf(which.to))
  ).executeTakeFirst()
  if (row === undefined) return undefined
  const to: Principal =
    row.kind === 'person' ? { kind: 'person', key: row.principal } : { kind: 'everyone' }
  return { grant: toGrant(row), to }
}
