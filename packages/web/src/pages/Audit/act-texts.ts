import type { AuditedAct } from '@vitrine/contract'

/** What people read of what was done. */
export const actTexts: Record<AuditedAct, string> = {
  'dataset-created': 'made the dataset',
  'schema-extended': 'extended the repository',
  'import-published': 'imported items',
  'dataset-deleted': 'deleted the dataset',
  'dataset-restored': 'took the dataset back',
  'dataset-removed': 'removed the dataset for good',
  'token-created': 'made an access token',
  'token-revoked': 'revoked an access token',
  'account-added': 'account added',
  'password-set': 'password set',
  'account-removed': 'account removed',
}

/** Of what this version does not know, the name that it has in the log. */
export function actText(what: string): string {
  return Object.hasOwn(actTexts, what) ? actTexts[what as AuditedAct] : what
}
