import { toHex } from '@vitrine/contract'
import {
  type Sha256 as Hash,
  type LogProof,
  type Entry,
  isSignedBy,
  leafHash,
  readCheckpoint,
  readEntry,
  readNote,
  readProof,
  readVerifierKey,
  rootByInclusion,
} from '@vitrine/transparency-log'
import { ApiError } from '../call/api-error.ts'
import type { CallInput, Client } from '../call/client.ts'
import type { CallOptions } from '../call/send.ts'
import { logKeyOf } from './known-log.ts'

/** Proof that the log of a repository has the entry of an item. */
export type ItemProof = LogProof & {
  /** The text of the entry. */
  entry: string
}

/**
 * Reads the proof of an item.
 * @throws ApiError
 */
export async function fetchItemProof(
  client: Client,
  place: CallInput<'logProof'>,
  options: CallOptions = {},
): Promise<ItemProof> {
  const proof = readItemProof(await (await client.logProof(place, options)).text())
  if (proof === undefined) throw new ApiError('The server sent no proof.', { status: 200 })
  return proof
}

function readItemProof(text: string): ItemProof | undefined {
  const proof = readProof(text)
  return proof?.extra && { ...proof, entry: new TextDecoder().decode(proof.extra) }
}

/** Item that a `.tlog-proof` file proves. */
export type ProvenItem = {
  /** Entry of the item: its id, when and by whom it was added, and the seal of its values. */
  entry: Entry
  /** Index of the entry, from 0, in a log that had `size` entries. */
  index: number
  size: number
  origin: string
}

/**
 * Verifies a `.tlog-proof` file without a server.
 * @param key the verifier key of the log, or of its installation
 * @returns a sentence where it proves nothing
 */
export async function verifyProofFile(
  text: string,
  { key: keyText, hash }: { key: string; hash: Hash },
): Promise<ProvenItem | string> {
  const key = await readVerifierKey(keyText, hash)
  if (key === undefined) return `${keyText} is no verifier key`
  const proof = readItemProof(text)
  const entry = proof && readEntry(proof.entry)
  const note = proof && readNote(proof.checkpoint)
  const checkpoint = note && readCheckpoint(note.text)
  if (entry === undefined || checkpoint === undefined) return 'it is no proof of an item'
  const { index, hashes } = proof!
  const { origin, size } = checkpoint
  const signer = await logKeyOf(key, origin, hash)
  if (signer === undefined) return `its checkpoint is that of another log: ${origin}`
  if (!(await isSignedBy(note!, signer))) return 'its checkpoint is not signed by the key'
  const leaf = await leafHash(new TextEncoder().encode(proof!.entry), hash)
  const root = await rootByInclusion({ index, size, leaf, hashes }, hash).catch(() => undefined)
  if (root === undefined || toHex(root) !== toHex(checkpoint.root)) {
    return 'the log does not have its entry'
  }
  return { entry, index, size, origin }
}
