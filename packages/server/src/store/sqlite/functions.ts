import { hash } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { type CastType, castFields, readCast } from '@vitrine/contract/view/cast'
import { foldCase } from '@vitrine/contract/text/fold-case'
import { searchBeginning, searchIncludes } from '@vitrine/contract/text/fold-search'
import { naturalKey } from '@vitrine/contract/text/natural-order'
import { splitPoint, splitText } from '@vitrine/contract/view/split-point'
import { type Json, plainText } from '@vitrine/contract/values/canonical-json'
import { textOf } from '@vitrine/contract/values/index'
import type { TextBudget } from '../text-budget.ts'
import { padCheck } from '../digest-bytes.ts'
import { addNumberFunctions } from './number-functions.ts'

/** Value of an SQL function. */
type Result = string | number | bigint | Uint8Array | null

/**
 * Teaches a connection what the view language asks for and SQLite does not have. Functions of a missing text are
 * missing.
 */
export function addSqlFunctions(database: DatabaseSync, budget?: TextBudget): void {
  const define = (name: string, call: (text: string, ...rest: SQLOutputValue[]) => Result) => {
    const options = { deterministic: true, varargs: true }
    database.function(name, options, (...parameters: SQLOutputValue[]) => {
      const [text, ...rest] = parameters
      if (text === null) return null
      const whole = String(text)
      budget?.take(whole.length)
      return call(whole, ...rest)
    })
  }
  define('fold_case', foldCase)
  define('includes_searched', (text, folded) => Number(searchIncludes(text, String(folded))))
  define('begins_searched', (text, folded) => searchBeginning(text, String(folded)) ?? null)
  define('natural_key', naturalKey)
  define('split_point', (key, salt, total) =>
    splitPoint(hash('sha256', splitText(String(salt), key)), Number(total)),
  )
  define('inverted_bytes', invertedBytes)
  define('plain_json', (json) => {
    const text = plainText(JSON.parse(json) as Json)
    return text.includes('\0') ? null : text
  })
  define('sha256_of', (text) => hash('sha256', text))
  database.function('checked_digest', { deterministic: true }, checkedDigest)
  define('cast_text', castText)
  addNumberFunctions(database)
}

function castText(text: string, to: SQLOutputValue | undefined): Result {
  const field = castFields[to as CastType]
  const value = readCast(field, text)
  if (value === undefined) return null
  const { cell, toCell } = textOf(field)!
  const made = toCell(value)
  // A number would be taken for a fraction.
  return cell === 'integer' ? BigInt(made) : made
}

function checkedDigest(text: SQLOutputValue, check: SQLOutputValue): Result {
  const known = check === null ? '' : String(check)
  if (text === null) return /^0*$/.test(known) ? null : padCheck(known)
  const digest = hash('sha256', String(text))
  return known !== '' && digest.startsWith(known) ? digest : padCheck(known)
}

/** Inverts the bytes of a text and of what ends it, so that they are in the order opposite to their own. */
function invertedBytes(text: string): Uint8Array {
  const bytes = Buffer.from(`${text}\0`)
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = 0xff - bytes[index]!
  return bytes
}
