import { type Grant, type NewGrant, errors, groupName, includesRole } from '@vitrine/contract'
import { type Identity, identityKey, personOf } from './identity.ts'
import { findIdentity } from './person-notes.ts'
import type { Roles } from './roles.ts'
import { fail, failAt } from '../failure.ts'
import { type Audited, writeAudit } from '../store/audit-log.ts'
import { type Dataset, lockDataset } from '../store/datasets.ts'
import { type Principal, deleteGrant, findGrant, setGrant } from '../store/grants.ts'
import { listUnfinished, updateImport } from '../store/imports.ts'
import { type PeopleSource, findKnownPerson, recordPerson } from '../store/people.ts'
import type { Store, Transaction } from '../store/store.ts'

/** Person who gives a role or takes it back, and what decides whether they may. */
export type Granting = { identity: Identity; roles: Roles; people: PeopleSource }

/**
 * Gives a person, a group, or everybody a role on a dataset, in place of the one that was given to them before.
 * @throws Failure REQUEST_INVALID, DATASET_NOT_FOUND, FORBIDDEN, PERSON_NOT_FOUND
 */
export function grantRole(
  store: Store,
  name: string,
  { role, ...given }: NewGrant,
  granting: Granting,
): Promise<Grant> {
  const { identity, people } = granting
  return change(store, name, granting, async (transaction, dataset) => {
    const to = await requirePrincipal(transaction, given, people)
    const which = { datasetId: dataset.id, to }
    const before = (await findGrant(transaction, which))?.role
    if (before !== role) {
      await recordPerson(transaction, personOf(identity))
      await setGrant(transaction, { ...which, role, by: identityKey(identity) })
    }
    const grant = (await findGrant(transaction, which))!
    const details = {
      ...principalDetails(grant),
      role,
      ...(before !== undefined && { 'instead of': before }),
    }
    return { result: grant, ...(before !== role && { act: { what: 'role-granted', details } }) }
  })
}

/**
 * Takes a role back that was given on a dataset.
 * @throws Failure DATASET_NOT_FOUND, FORBIDDEN, GRANT_NOT_FOUND
 */
export async function revokeRole(
  store: Store,
  name: string,
  id: number,
  granting: Granting,
): Promise<void> {
  await change(store, name, granting, async (transaction, dataset) => {
    const grant = await findGrant(transaction, { datasetId: dataset.id, id })
    if (grant === undefined) throw fail('GRANT_NOT_FOUND')
    await deleteGrant(transaction, { datasetId: dataset.id, id })
    const details = { ...principalDetails(grant), role: grant.role }
    return { result: undefined, act: { what: 'role-revoked', details } }
  })
}

/** Changes grants of a dataset, as one of its owners. */
function change<Result>(
  store: Store,
  name: string,
  { identity, roles, people }: Granting,
  work: (
    transaction: Transaction,
    dataset: Dataset,
  ) => Promise<{ result: Result; act?: Pick<Audited, 'what' | 'details'> }>,
): Promise<Result> {
  if (!roles.areOn) throw fail('ROLES_OFF')
  return store.write(async (transaction) => {
    const dataset = await lockDataset(transaction, name)
    if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
    const isThere = await roles.require(identity, 'owner', name, transaction)
    if (!isThere) throw fail('DATASET_NOT_FOUND')
    const imports = await curatorImports(transaction, dataset, { roles, people })
    const { result, act } = await work(transaction, dataset)
    const still = await curatorImports(transaction, dataset, { roles, people })
    await failImports(transaction, imports.difference(still))
    if (act !== undefined) {
      await writeAudit(transaction, { ...act, by: personOf(identity), dataset })
    }
    return result
  })
}

/** @throws Failure PERSON_NOT_FOUND, REQUEST_INVALID for a group where groups do not count */
async function requirePrincipal(
  transaction: Transaction,
  { person: subject, group }: Omit<NewGrant, 'role'>,
  people: PeopleSource,
): Promise<Principal> {
  if (group !== undefined) {
    if (people.readsGroups) return { kind: 'group', group: groupName(group)! }
    const reason = 'cannot be given a role: this server reads no groups of its provider'
    throw failAt('REQUEST_INVALID', [{ path: ['group'], reason }])
  }
  if (subject === undefined) return { kind: 'everyone' }
  const person = await findKnownPerson(transaction, { ...people, subject })
  if (person === undefined) throw fail('PERSON_NOT_FOUND')
  await recordPerson(transaction, person)
  return { kind: 'person', key: person.key }
}

function principalDetails({ person, group }: Grant): Record<string, string> {
  if (group !== undefined) return { to: `group ${group}` }
  if (person === undefined) return { to: 'everyone' }
  const { subject, name } = person
  return { to: name ?? subject, ...(name !== undefined && { subject }) }
}

/** Returns the ids of unfinished imports into a dataset whose people may import. */
async function curatorImports(
  transaction: Transaction,
  { id, name }: Dataset,
  { roles, people }: Pick<Granting, 'roles' | 'people'>,
): Promise<Set<number>> {
  const ids = new Set<number>()
  for (const row of await listUnfinished(transaction, id)) {
    const identity = await findIdentity(transaction, row.created_by, people)
    const found = await roles.find(identity, name, transaction)
    if (found !== undefined && includesRole(found.role, 'curator')) ids.add(row.id)
  }
  return ids
}

/** Fails imports of people who lost the role for them: from then on nobody publishes them. */
async function failImports(transaction: Transaction, ids: ReadonlySet<number>): Promise<void> {
  const code = 'FORBIDDEN'
  const { message } = errors[code]
  const error = JSON.stringify({ code, message, details: { needed: 'curator' } })
  for (const id of ids) await updateImport(transaction, id, { ends_as: 'failed', error })
}
