import type { Store } from '../store/store.ts'
import { recordTokenUse, type FoundToken } from '../store/tokens.ts'

/** How exactly the last use of a token is known, in milliseconds: not every call is worth a write. */
const useNotedEvery = 60_000

/**
 * Notes in the background that a token was used: a full disk takes no such note, and reading goes on.
 * @param onError told when it could not be noted
 */
export function createUseNotes(
  store: Pick<Store, 'write'>,
  onError: (error: unknown) => void,
): (token: FoundToken) => void {
  /** When a use of each was last noted, or tried to be, in milliseconds of this process. */
  const notedAt = new Map<number, number>()
  return ({ id, unnotedMs }) => {
    if (unnotedMs !== null && unnotedMs < useNotedEvery) return
    const at = performance.now()
    if (at - (notedAt.get(id) ?? -Infinity) < useNotedEvery) return
    notedAt.set(id, at)
    store
      .write((transaction) => recordTokenUse(transaction, { id, everyMs: useNotedEvery }), {
        derived: true,
      })
      .catch(onError)
  }
}
