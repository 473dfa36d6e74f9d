import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { castFields, readCast, type CastType } from '@vitrine/contract/cast'
import { plainText, type Json } from '@vitrine/contract/values/canonical-json'
import { textOf } from '@vitrine/contract/values/index'

/** Teaches a connection the contract's casts, and the digests of what they make. */
export function addCastFunctions(database: DatabaseSync): void {
  const options = { deterministic: true }
  database.function('plain_json', options, (json) => {
    if (json === null) return null
    const text = plainText(JSON.parse(String(json)) as Json)
    return text.includes('\0') ? null : text
  })
  database.function('sha256_of', options, (text) =>
    text === null ? null : hash('sha256', String(text)),
  )
  database.function('cast_text', options, (text, to) => {
    if (text === null) return null
    const field = castFields[to as CastType]
    const value = readCast(field, String(text))
    if (value === undefined) return null
    const { cell, toCell } = textOf(field)!
    const made = toCell(value)
    // A number would be taken for a fraction.
    return cell === 'integer' ? BigInt(made) : made
  })
}
