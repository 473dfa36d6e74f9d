import { includesRole } from '@vitrine/contract'
import { type Access, type Identity, identityKey } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { type Correctable, findCorrectable } from '../store/corrections.ts'
import type { Dataset } from '../store/datasets.ts'
import type { Db, Transaction } from '../store/store.ts'

/** Finds what somebody may do on a dataset; undefined where there is none that they may read. */
export type FindAccess = (
  identity: Identity,
  name: string,
  transaction?: Transaction,
) => Promise<Access | undefined>

/** An item that somebody corrects. */
export type Corrected = { repo: Dataset; itemId: number; identity: Identity }

/**
 * Refuses unless somebody may correct an item: contributors their own, curators all, and each of them only what was
 * not replaced before.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, FORBIDDEN, ITEM_REPLACED
 */
export async function requireCorrectable(
  db: Db,
  { repo, itemId, identity }: Corrected,
  findAccess: FindAccess,
): Promise<Correctable> {
  const item = await findCorrectable(db, repo.id, itemId)
  if (item === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  if (item.author !== identityKey(identity)) {
    const access = await findAccess(identity, repo.name)
    if (access === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
    const { role, owners } = access
    if (!includesRole(role, 'curator')) throw fail('FORBIDDEN', { needed: 'curator', role, owners })
  }
  if (item.replacement === undefined) return item
  throw fail('ITEM_REPLACED', { replacedBy: item.replacement.id })
}
