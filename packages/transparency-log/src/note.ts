import { fromBase64, toBase64 } from './base64.ts'
import { sha256, type Sha256 } from './tree.ts'

// Signed notes with Ed25519 (https://c2sp.org/signed-note).

/** Kind of signature: Ed25519. */
const algorithm = 0x01
const keyIdBytes = 4

/** A key by which signatures of notes are verified. */
export type VerifierKey = {
  /** Whose it is. */
  name: string
  /** The first four bytes of the sha256 of its name, a line feed, and the key with its algorithm. */
  id: Uint8Array
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array<ArrayBuffer>
}

/** The signature of a note by one key. */
export type NoteSignature = { name: string; keyId: Uint8Array; signature: Uint8Array<ArrayBuffer> }

/** A note: its text, which ends with a line feed, and who has signed it. */
export type SignedNote = { text: string; signatures: NoteSignature[] }

export async function makeVerifierKey(
  { name, publicKey }: Pick<VerifierKey, 'name' | 'publicKey'>,
  hash: Sha256 = sha256,
): Promise<VerifierKey> {
  const digest = await hash(
    new Uint8Array([...new TextEncoder().encode(`${name}\n`), algorithm, ...publicKey]),
  )
  return { name, id: digest.subarray(0, keyIdBytes), publicKey }
}

/** Writes a key as `name+id+key`, as programs take it. */
export function verifierKeyText({ name, id, publicKey }: VerifierKey): string {
  return `${name}+${toHex(id)}+${toBase64(new Uint8Array([algorithm, ...publicKey]))}`
}

/** Reads a key as `verifierKeyText` writes it; undefined where it is none. */
export async function readVerifierKey(
  text: string,
  hash: Sha256 = sha256,
): Promise<VerifierKey | undefined> {
  const [, name, id, base64 = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? []
  const bytes = fromBase64(base64)
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== algorithm) return undefined
  const key = await makeVerifierKey({ name, publicKey: bytes.slice(1) }, hash)
  return toHex(key.id) === id ? key : undefined
}

/** Writes a note with one signature. */
export function noteText(
  text: string,
  { name, id }: Pick<VerifierKey, 'name' | 'id'>,
  signature: Uint8Array,
): string {
  return `${text}\n\u2014 ${name} ${toBase64(new Uint8Array([...id, ...signature]))}\n`
}

/** Control characters that a note may not have: all but line feeds. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0009\u000b-\u001f]/

/** Takes a note apart, without verifying it; undefined where it is none. */
export function readNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n') || control.test(note)) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(readSignature)
  if (signatures.includes(undefined)) return undefined
  return { text: note.slice(0, end + 1), signatures: signatures as NoteSignature[] }
}

function readSignature(line: string): NoteSignature | undefined {
  const [, name, base64 = ''] = /^\u2014 ([^+\s]+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? []
  const bytes = fromBase64(base64)
  if (name === undefined || bytes === undefined || bytes.length <= keyIdBytes) return undefined
  return { name, keyId: bytes.subarray(0, keyIdBytes), signature: bytes.slice(keyIdBytes) }
}

/**
 * Whether a note is signed by a key. Every platform that has Ed25519 in its WebCrypto can tell.
 * @throws Error where this one has not
 */
export async function isSignedBy(note: SignedNote, key: VerifierKey): Promise<boolean> {
  const own = note.signatures.find(
    ({ name, keyId }) => name === key.name && toHex(keyId) === toHex(key.id),
  )
  if (own === undefined) return false
  const publicKey = await crypto.subtle.importKey('raw', key.publicKey, 'Ed25519', false, [
    'verify',
  ])
  const text = new TextEncoder().encode(note.text)
  return crypto.subtle.verify('Ed25519', publicKey, own.signature, text)
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
