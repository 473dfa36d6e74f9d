import { recordPerson } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { type Identity, personOf } from './identity.ts'

/** How long it takes until a person is noted anew who could not be noted, in milliseconds. */
const retryMs = 60_000

/**
 * Notes in the background who has signed in, once in a process and whenever their name changes, so that they can be
 * given a role before they have done anything.
 * @param onError called when somebody could not be noted
 */
export function createPersonNotes(
  store: Pick<Store, 'write'>,
  onError: (error: unknown) => void,
): (identity: Identity) => void {
  const notes = new Map<string, { name: string | undefined; retryAt: number }>()
  return (identity) => {
    const person = personOf(identity)
    const { key, name } = person
    const note = notes.get(key)
    // A personal access token does not say what its owner is called.
    const isNoted = note !== undefined && (name === undefined || name === note.name)
    if (isNoted && performance.now() < note.retryAt) return
    const written = { name: name ?? note?.name, retryAt: Infinity }
    notes.set(key, written)
    store
      .write((transaction) => recordPerson(transaction, person))
      .catch((error: unknown) => {
        written.retryAt = performance.now() + retryMs
        onError(error)
      })
  }
}
