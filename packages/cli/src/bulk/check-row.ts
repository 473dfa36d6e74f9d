import { hash } from 'node:crypto'
import { textOf } from '@vitrine/rows/text-of'
import type { Row } from '@vitrine/client'
import type { Verified, VerifyOptions } from './verified.ts'

const suffix = '.sha256'

/** How a value of an export is compared with the digest beside it. */
export type RowCheck = Pick<VerifyOptions, 'onDamage'> & {
  /** Whether cells that could be formulas have a `'` before them. */
  guarded: boolean
  /**
   * The digest of the bytes that a binary value names; undefined where it names none. Without it the
   * value is the digest.
   */
  digestOfBinary?: (value: string) => string | undefined
}

/** Computes the digests of a row's values again, of those that have one beside them. */
export function checkRow(row: Row, verified: Verified, check: RowCheck): void {
  verified.items += 1
  for (const field of sealedFields(row)) {
    const digest = row[`${field}${suffix}`]
    const text = textOf(row[field])
    const tell = (what: string) => check.onDamage({ item: Number(row['id']), field, what })
    verified.values += 1
    if (text === undefined) {
      tell('has a digest and no value')
      continue
    }
    const wrong = `is not what has the digest ${String(digest)}`
    if (isThere(row[`${field}.mime`])) {
      if (digestOf(text, check) !== digest) tell(wrong)
      continue
    }
    const plain = plainTexts(text, check).find((each) => hash('sha256', each) === digest)
    verified.bytes += Buffer.byteLength(plain ?? text)
    if (plain === undefined) tell(wrong)
  }
}

/** Names of fields have no dots. */
function sealedFields(row: Row): string[] {
  return Object.keys(row)
    .filter((key) => key.endsWith(suffix) && isThere(row[key]))
    .map((key) => key.slice(0, -suffix.length))
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function digestOf(value: string, { digestOfBinary }: RowCheck): string | undefined {
  return digestOfBinary === undefined ? value : digestOfBinary(value)
}

/** Lists the texts that a cell may stand for: a guarded one may have a ' before it. */
function plainTexts(cell: string, { guarded }: RowCheck): string[] {
  return guarded && cell.startsWith("'") ? [cell, cell.slice(1)] : [cell]
}
