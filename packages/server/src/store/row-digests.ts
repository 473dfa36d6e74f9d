import { sql } from 'kysely'
import { digestBytes, noDigest, padCheck, sha256Bytes } from './digest-bytes.ts'
import { checkedDigest, hexOf, lower, type Expression } from './expressions.ts'

// The column `digests` of an item's row. Of each value that is written as text it has a check, in schema order: the first
// bytes of its sha256, zeros for an absent value, and nothing for fields that the schema did not have yet. By its check a
// value that was altered in the database is named; a proof is the hash of the item's entry in the log. The sha256 itself is
// computed of the value when it is shown (docs/decisions/store.md).
//
// A byte with the length of a check stands before them. Rows from before there were checks have the sha256 of each value,
// 32 bytes, and no byte before, so their length is a multiple of 32, which that of checks is not.

/** Bytes of a check; even, so that those of a row with the byte before them are odd. */
const checkBytes = 4

/** Returns the checks of some rows, one after the other, from the sha256 of each of their values; checks as they are. */
export function toChecks(digests: Uint8Array, { rows = 1 } = {}): Uint8Array {
  if (!isWhole(digests)) return digests
  const inRow = digests.length / digestBytes / rows
  const checks = new Uint8Array(inRow === 0 ? 0 : rows * (1 + inRow * checkBytes))
  let at = 0
  for (let from = 0; from < digests.length; from += digestBytes) {
    if ((from / digestBytes) % inRow === 0) checks[at++] = checkBytes
    for (let byte = 0; byte < checkBytes; byte += 1) checks[at++] = digests[from + byte]!
  }
  return checks
}

/** Returns the digest of a text in hex; of one that is not what was sealed the beginning that is known, and zeros. */
export function digestIn(digests: Expression, digestAt: number, text: Expression): Expression {
  const hexAt = (at: number, length: number) =>
    lower(hexOf(sql`substr(${digests}, ${sql.lit(at + 1)}, ${sql.lit(length)})`))
  return sql`case when length(${digests}) % ${sql.lit(digestBytes)} = 0
    then ${hexAt(digestAt, digestBytes)}
    else ${checkedDigest(text, hexAt(checkAt(digestAt), checkBytes))} end`
}

/**
 * Returns why a text is not what was sealed: its digest in hex, of which zeros may stand for what is not known; undefined
 * where it is. An absent value is null.
 */
export function brokenDigest(
  digests: Uint8Array,
  digestAt: number,
  text: string | null,
): string | undefined {
  const [from, length] = isWhole(digests)
    ? [digestAt, digestBytes]
    : [checkAt(digestAt), checkBytes]
  const sealed = Buffer.from(digests.subarray(from, from + length))
  const isSealed =
    text === null
      ? sealed.every((byte) => byte === 0)
      : sealed.length === length && sha256Bytes(text).subarray(0, length).equals(sealed)
  return isSealed ? undefined : padCheck(sealed.toString('hex'))
}

/** Whether a digest was not computed, as its value is not what was sealed. */
export function isPadded(sha256: string): boolean {
  return sha256.endsWith(noDigest.slice(2 * checkBytes))
}

/** Whether a row has the sha256 of each value. */
function isWhole(digests: Uint8Array): boolean {
  return digests.length % digestBytes === 0
}

/** Offset of the check of the value whose digest would stand at an offset among digests. */
function checkAt(digestAt: number): number {
  return 1 + (digestAt / digestBytes) * checkBytes
}
