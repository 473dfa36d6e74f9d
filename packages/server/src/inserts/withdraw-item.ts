import { personOf, type Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { type Correctable, findCorrectable } from '../store/corrections.ts'
import { recordPerson } from '../store/people.ts'
import type { Transaction } from '../store/store.ts'
import { afterImports, holdForItem } from './after-imports.ts'
import { becomeItem } from './become-item.ts'
import type { InsertContext } from './insert-context.ts'
import { type FindAccess, requireCorrectable } from './require-correctable.ts'
import { readStoredValues } from './stored-values.ts'

/** About what an item takes in the database and its log beside its texts. */
const itemBytes = 16 * 1024

/**
 * Withdraws an item: adds one that repeats its values and says so, as a repository only grows. The same again
 * changes nothing and succeeds.
 * @returns the id of the item that was added
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, FORBIDDEN, ITEM_REPLACED, OVERLOADED, STORAGE_FULL
 */
export async function withdrawItem(
  { store, blobs, repos, itemIds, findAccess }: InsertContext & { findAccess: FindAccess },
  { repoName, itemId, identity }: { repoName: string; itemId: number; identity: Identity },
  reason: string,
): Promise<{ id: number }> {
  await blobs.requireRoom(itemBytes)
  const repo = await repos.require(repoName)
  const person = personOf(identity)
  const author = person.key
  const before = earlierWithdrawal(await findCorrectable(store.reads, repo.id, itemId), author)
  if (before !== undefined) return { id: before }
  await requireCorrectable(store.reads, { repo, itemId, identity }, findAccess)
  const id = await itemIds.give(repo.id)
  if (id === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  const withdraw = async (transaction: Transaction) => {
    const held = await holdForItem(transaction, repos, repoName)
    if (held.id !== repo.id) throw fail('REPO_OR_ITEM_NOT_FOUND')
    const other = earlierWithdrawal(await findCorrectable(transaction, repo.id, itemId), author)
    if (other !== undefined) return { id: other }
    await requireCorrectable(transaction, { repo: held, itemId, identity }, (who, name) =>
      findAccess(who, name, transaction),
    )
    await recordPerson(transaction, person)
    const values = await readStoredValues(transaction, held, itemId)
    const correction = { replaces: itemId, reason, withdraws: true }
    await becomeItem(transaction, held, { id, values, author, correction })
    return { id }
  }
  return afterImports(() => store.write(withdraw))
}

/** Returns the item by which somebody has withdrawn another: the reply may have been lost. */
function earlierWithdrawal(item: Correctable | undefined, author: string): number | undefined {
  const { replacement } = item ?? {}
  const isOwn = replacement?.withdraws === true && replacement.author === author
  return isOwn ? replacement.id : undefined
}
