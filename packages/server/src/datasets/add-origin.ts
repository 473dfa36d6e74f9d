import { api, check, type Problem } from '@vitrine/contract'
import {
  isSignedBy,
  readCheckpoint,
  readEntry,
  readNote,
  readVerifierKey,
  writeBundle,
} from '@vitrine/transparency-log'
import { identityKey, type Identity } from '../access/identity.ts'
import { expectChecked, fail, failAt } from '../failure.ts'
import { lockDataset } from '../store/datasets.ts'
import { addItemOrigins, listItemOrigins } from '../store/item-origins.ts'
import { countItemsBy } from '../store/items.ts'
import type { Store } from '../store/store.ts'

/**
 * Keeps where items come from, as the person who imported them says: their entries in a log, and its checkpoint, which
 * has to be signed. That the log has these entries, whoever says so has verified. Once said it stays.
 * @throws Failure REQUEST_INVALID, REPO_NOT_FOUND
 */
export async function addOrigin(
  store: Store,
  name: string,
  input: unknown,
  identity: Identity,
): Promise<void> {
  const checked = check(api.originAdd.body, input)
  const { from, checkpoint, key, entries } = expectChecked('REQUEST_INVALID', checked)
  const problems = [
    ...(await noteProblems(checkpoint, key)),
    ...entries.flatMap((entry, index): Problem[] =>
      readEntry(entry) === undefined
        ? [{ path: ['entries', index], reason: 'must be an entry of a log' }]
        : [],
    ),
  ]
  if (problems.length > 0) throw failAt('REQUEST_INVALID', problems)
  const bytes = writeBundle(entries.map((entry) => new TextEncoder().encode(entry)))
  const range = { from, to: from + entries.length }
  await store.write(async (transaction) => {
    const repo = await lockDataset(transaction, name)
    if (repo?.kind !== 'repo') throw fail('REPO_NOT_FOUND')
    const recorded = await listItemOrigins(transaction, repo.id, range)
    const [first] = recorded
    const isSame =
      recorded.length === 1 &&
      first!.position === from &&
      first!.checkpoint === checkpoint &&
      first!.key === key &&
      Buffer.from(first!.entries).equals(bytes)
    if (isSame) return
    const own = await countItemsBy(transaction, repo.id, { ...range, key: identityKey(identity) })
    if (recorded.length > 0 || own < entries.length) {
      const reason =
        recorded.length > 0
          ? 'must be where items begin of which nothing is said yet'
          : 'must be where items begin that you have added'
      throw failAt('REQUEST_INVALID', [{ path: ['from'], reason }])
    }
    const origins = { position: from, items: entries.length, checkpoint, key, entries: bytes }
    await addItemOrigins(transaction, repo.id, origins)
  })
}

async function noteProblems(checkpoint: string, key: string): Promise<Problem[]> {
  const verifier = await readVerifierKey(key)
  if (verifier === undefined) return [{ path: ['key'], reason: 'must be a verifier key' }]
  const note = readNote(checkpoint)
  if (note === undefined || readCheckpoint(note.text) === undefined) {
    return [{ path: ['checkpoint'], reason: 'must be a signed checkpoint' }]
  }
  if (await isSignedBy(note, verifier)) return []
  return [{ path: ['checkpoint'], reason: 'must be signed by the key' }]
}
