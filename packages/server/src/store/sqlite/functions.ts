import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { foldCase, foldSearch, naturalKey, splitPoint, splitText } from '@vitrine/contract'
import { addCastFunctions } from './cast-functions.ts'
import { addNumberFunctions } from './number-functions.ts'

/** Teaches a connection what the view language asks for and SQLite does not have. */
export function addSqlFunctions(database: DatabaseSync): void {
  const options = { deterministic: true }
  const texts = { fold_case: foldCase, fold_search: foldSearch, natural_key: naturalKey }
  for (const [name, make] of Object.entries(texts)) {
    database.function(name, options, (text) => (text === null ? null : make(String(text))))
  }
  database.function('split_point', options, (key, salt, total) =>
    splitPoint(hash('sha256', splitText(String(salt), String(key))), Number(total)),
  )
  addNumberFunctions(database)
  addCastFunctions(database)
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
