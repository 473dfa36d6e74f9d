import { fieldNamePattern, reservedFieldNames } from '@vitrine/contract'

/**
 * The name of a field for a column of a file: `Full Name (EN)` becomes `Full_Name_EN`. Accents go,
 * because names are ASCII; what is left of nothing is `column`.
 */
export function fieldNameFor(column: string): string {
  if (fieldNamePattern.test(column) && !reservedFieldNames.includes(column)) return column
  const plain = column
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const begun = /^[A-Za-z]/.test(plain) ? plain : `column_${plain}`.replace(/_$/, '')
  return begun.slice(0, 63)
}
