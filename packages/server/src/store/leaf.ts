import { hash, randomBytes } from 'node:crypto'
import {
  entryText,
  leafPrefix,
  middleOf,
  nodePrefix,
  sealText,
  type Entry,
  type SealedValue,
} from '@vitrine/transparency-log'
import type { Correction } from './corrections.ts'
import { sha256Bytes } from './digest-bytes.ts'

/** The hashes of an item's entry in the log of its repository, and of what is above it, as RFC 6962 §2.1 has them. */
export const leafOf = (entry: Entry): Buffer => leafOfText(entryText(entry))

export function leafOfText(entry: string): Buffer {
  return sha256Bytes(String.fromCharCode(leafPrefix) + entry)
}

export function nodeOf(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256Bytes(Buffer.concat([nodeStart, left, right]))
}

const nodeStart = Buffer.of(nodePrefix)

/** The root over hashes, of which there is at least one. */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0]!
  const middle = middleOf({ from: 0, to: hashes.length })
  return nodeOf(rootOf(hashes.slice(0, middle)), rootOf(hashes.slice(middle)))
}

/** The seal of an item: the digest of those of its values, in hex. */
export const sealOf = (values: readonly SealedValue[]): string => hash('sha256', sealText(values))

/** Secret of which the nonces of a repository's entries are made, and the position from which on these have one. */
export type Nonces = { key: string; from: number }

/** Returns a secret for the nonces of a repository. */
export const newNonceKey = (): string => randomBytes(32).toString('hex')

/**
 * Nonce of an entry, of 16 bytes as hexadecimal digits. The proof of an item has the hashes of entries beside it, of which
 * short values could be guessed otherwise. It is computed and not stored: half of a digest tells nothing of what was hashed.
 */
export function nonceOf(
  { key, from }: Nonces,
  { id, position }: { id: number; position: number },
): Pick<Entry, 'nonce'> {
  return position < from ? {} : { nonce: hash('sha256', `${key} ${id}`).slice(0, 32) }
}

/** The item that a correction replaces, as entries have it. */
export function correctedBy({
  replaces,
  withdraws,
}: Pick<Correction, 'replaces' | 'withdraws'>): Pick<Entry, 'replaces' | 'withdraws'> {
  return withdraws ? { withdraws: replaces } : { replaces }
}

/** A moment as entries have it, of milliseconds since 1970. */
export const entryTime = (moment: number): string => new Date(moment).toISOString()
