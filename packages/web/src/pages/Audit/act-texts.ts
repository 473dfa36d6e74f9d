import type { AuditedAct } from '@vitrine/contract'

/** Texts of acts. */
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

/** Returns the text of an act; its name in the log where this version does not know it. */
export function actText(what: string): string {
  return Object.hasOwn(actTexts, what) ? actTexts[what as AuditedAct] : what
}
