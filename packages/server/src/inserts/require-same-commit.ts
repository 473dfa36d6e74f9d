import type { IntegrityByField } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { everywhere, prepareRepoReads } from '../reading/plain-reads.ts'
import type { Dataset } from '../store/datasets.ts'
import { prepareOn } from '../store/prepare.ts'
import type { Db } from '../store/store.ts'

/**
 * Refuses unless an item was committed with these digests: a reply may have been lost, so the same may come again.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_COMMITTED
 */
export async function requireSameCommit(
  db: Db,
  repo: Dataset,
  itemId: number,
  integrity: IntegrityByField,
): Promise<void> {
  const item = await prepareRepoReads(prepareOn(db), repo).get({ itemId, to: everywhere })
  if (item === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  const committed = item.integrity ?? {}
  const names = Object.keys(integrity)
  const isSame =
    names.length === Object.keys(committed).length &&
    names.every((name) => committed[name]?.sha256 === integrity[name]?.sha256)
  if (!isSame) throw fail('INSERT_COMMITTED')
}
