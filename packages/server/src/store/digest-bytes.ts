import { hash } from 'node:crypto'

/** Bytes of a sha256 in an item's digests; zeros stand for that of a value that is absent. */
export const digestBytes = 32

/** The digest of a value that is absent, in hexadecimal. */
export const noDigest = '0'.repeat(2 * digestBytes)

/** Returns a digest of which the check alone is known (`row-digests.ts`): it is none of a text. */
export const padCheck = (check: string): string => check.padEnd(noDigest.length, '0')

/**
 * Returns the sha256 of a text in UTF-8, or of bytes. Node makes a buffer for each digest that is asked for as one, which
 * takes longer than a short text to hash (docs/decisions/performance.md).
 */
export function sha256Bytes(input: string | Uint8Array): Buffer {
  return Buffer.from(hash('sha256', input, 'binary'), 'latin1')
}

/** Writes the sha256 of a text in UTF-8, or of bytes, into a buffer. */
export function putSha256(input: string | Uint8Array, target: Buffer, at: number): void {
  target.write(hash('sha256', input, 'binary'), at, 'latin1')
}
