import type { FastifyBaseLogger } from 'fastify'
import { findAccount } from '../store/accounts.ts'
import {
  type PeopleSource,
  findGroups,
  identityOfKey,
  recordGroups,
  recordPerson,
} from '../store/people.ts'
import type { Db, Store } from '../store/store.ts'
import { type Identity, personOf } from './identity.ts'

/** How long it takes until a person is noted anew who could not be noted, in milliseconds. */
const retryMs = 60_000

/**
 * Notes in the background who has signed in, once in a process and whenever their name or their groups change, so that
 * they can be given a role before they have done anything, and their tokens have their groups.
 */
export function createPersonNotes(
  store: Pick<Store, 'write'>,
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): (identity: Identity) => void {
  const notes = new Map<string, Note>()
  return (identity) => {
    const person = personOf(identity)
    const { key, name } = person
    const note = notes.get(key)
    const { groups, groupsAt = 0 } = identity
    const isLater = identity.groupsAt !== undefined && groupsAt >= (note?.groupsAt ?? 0)
    const next: Note = {
      name: name ?? note?.name,
      groups: isLater ? JSON.stringify(groups) : note?.groups,
      groupsAt: isLater ? groupsAt : (note?.groupsAt ?? 0),
      retryAt: Infinity,
    }
    const isNoted = note !== undefined && next.name === note.name && next.groups === note.groups
    if (isNoted && performance.now() < note.retryAt) {
      note.groupsAt = next.groupsAt
      return
    }
    notes.set(key, next)
    if (isLater && identity.groupsOmitted === true) {
      const { subject } = identity
      logger.warn({ subject }, 'the provider left the groups of a person out of a token')
    }
    store
      .write(async (transaction) => {
        await recordPerson(transaction, person)
        if (isLater) await recordGroups(transaction, { key, groups, at: groupsAt })
      })
      .catch((error: unknown) => {
        next.retryAt = performance.now() + retryMs
        logger.error({ err: error }, 'a person who signed in could not be noted')
      })
  }
}

/**
 * Finds who a person is by what is stored: the name of an account of the built-in provider, the groups of the last
 * sign-in at another one.
 */
export async function findIdentity(
  db: Db,
  key: string,
  { isBuiltIn, readsGroups }: PeopleSource,
): Promise<Identity> {
  const identity = identityOfKey(key)
  const account = isBuiltIn ? await findAccount(db, identity.subject) : undefined
  const groups = readsGroups ? await findGroups(db, key) : []
  return { ...identity, username: account?.name, groups }
}

/** Notes of a person in this process; groups as JSON, by a token that was issued at `groupsAt`. */
type Note = {
  name: string | undefined
  groups: string | undefined
  groupsAt: number
  retryAt: number
}
