import { fieldNamePattern, reservedFieldNames } from '@vitrine/contract'

/** The name of a field for a column of a file. */
export type NameField = (column: string) => string

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/**
 * Prepares to name fields for columns: `Full Name (EN)` becomes `Full_Name_EN`, and as names are ASCII,
 * `Größe` becomes `Grosse` and `日本` `RiBen`. What is left of nothing is `column`. The table of letters is
 * half a megabyte, and loaded only where a column has another one.
 */
export async function prepareFieldNames(columns: readonly string[]): Promise<NameField> {
  const { default: toAscii } = columns.every(isAscii)
    ? { default: (text: string) => text }
    : await import('any-ascii')
  return (column) => {
    if (fieldNamePattern.test(column) && !reservedFieldNames.includes(column)) return column
    const plain = toAscii(column.normalize('NFC'))
      .replaceAll(/[^A-Za-z0-9_]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
    const begun = /^[A-Za-z]/.test(plain) ? plain : `column_${plain}`.replace(/_$/, '')
    return begun.slice(0, 63)
  }
}
