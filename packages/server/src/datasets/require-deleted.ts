import { identityKey, type Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import type { DeletedDataset } from '../store/deleted-datasets.ts'

/** Who asks for what was deleted: administrators may for anything, others for what they have deleted. */
export type Requester = { identity: Identity; isAdministrator: boolean }

/** @throws Failure DELETED_NOT_FOUND */
export function requireDeleted(
  deleted: DeletedDataset | undefined,
  { identity, isAdministrator }: Requester,
): DeletedDataset {
  const isTheirs = isAdministrator || deleted?.deletedBy === identityKey(identity)
  if (deleted === undefined || !isTheirs) throw fail('DELETED_NOT_FOUND')
  return deleted
}
