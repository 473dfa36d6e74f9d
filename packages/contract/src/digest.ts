import * as z from 'zod/mini'

/** A sha256 digest as lowercase hex, 64 characters (specification §9, FIPS 180-4). */
export const sha256Hex = z
  .string()
  .check(z.regex(/^[0-9a-f]{64}$/, 'must be a sha256 digest in lowercase hex'))

/** What a commit says of one value, or what the server says that it received. */
export const integrity = z.object({ sha256: sha256Hex })

export const integrityByField = z.record(z.string(), integrity)
export type IntegrityByField = z.infer<typeof integrityByField>

/**
 * The bytes whose digest seals a value: the UTF-8 of a text, the decimal digits of a reference.
 * A binary value is its own bytes.
 *
 * Multipart form data rewrites lone surrogates (WHATWG HTML, "multipart/form-data encoding
 * algorithm"), and so does TextEncoder, in the same way: what is hashed here is what must be sent.
 */
export function valueBytes(value: string | number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(String(value))
}

/** Lowercase hex of a digest. */
export function toHex(digest: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
