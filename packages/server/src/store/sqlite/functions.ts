import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { foldCase, splitPoint, splitText } from '@vitrine/contract'

/** Teaches a connection what the view language asks for and SQLite does not have. */
export function addSqlFunctions(database: DatabaseSync): void {
  const options = { deterministic: true }
  database.function('fold_case', options, (text) => (text === null ? null : foldCase(String(text))))
  database.function('split_point', options, (key, salt, total) =>
    splitPoint(hash('sha256', splitText(String(salt), String(key))), Number(total)),
  )
  database.function('inverted_hex', options, (text) => invertedHex(String(text)))
}

/**
 * The bytes of a text and of what ends it, each turned around, in hex: in the order of these texts are
 * in the order opposite to their own.
 */
function invertedHex(text: string): string {
  const bytes = Buffer.from(`${text}\0`)
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = 0xff - bytes[index]!
  return bytes.toString('hex')
}
