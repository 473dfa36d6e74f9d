import { hash } from 'node:crypto'
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
export function leafOf(entry: Entry): Buffer {
  return sha256Bytes(String.fromCharCode(leafPrefix) + entryText(entry))
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

/** The item that a correction replaces, as entries have it. */
export function correctedBy({
  replaces,
  withdraws,
}: Pick<Correction, 'replaces' | 'withdraws'>): Pick<Entry, 'replaces' | 'withdraws'> {
  return withdraws ? { withdraws: replaces } : { replaces }
}

/** A moment as entries have it, of milliseconds since 1970. */
export const entryTime = (moment: number): string => new Date(moment).toISOString()
