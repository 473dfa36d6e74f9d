import { hash } from 'node:crypto'

const known = new WeakMap<Uint8Array, string>()

/** The sha256 of bytes that do not change, in hexadecimal: computed once, though rows are parsed twice. */
export function bytesDigest(bytes: Uint8Array): string {
  let digest = known.get(bytes)
  if (digest === undefined) known.set(bytes, (digest = hash('sha256', bytes)))
  return digest
}
