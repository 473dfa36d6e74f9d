import * as z from 'zod/mini'
import type { ItemValue } from './item.ts'
import { plainText } from '../values/canonical-json.ts'

/** A sha256 digest as lowercase hex, 64 characters (FIPS 180-4). */
export const sha256Hex = z
  .string()
  .check(z.regex(/^[0-9a-f]{64}$/, 'must be a sha256 digest in lowercase hex'))

/** Digest of one value, as a commit declares it or as the server received it. */
export const integrity = z.object({ sha256: sha256Hex })

export const integrityByField = z.record(z.string(), integrity)
export type IntegrityByField = z.infer<typeof integrityByField>

/** The part of a form that says of its other parts, in JSON, what they are signed off as; no field has such a name. */
export const integrityPart = 'integrity.json'

/**
 * The bytes whose digest seals a value: its canonical text in UTF-8. A binary value is its own bytes. Of a
 * value that is text itself the type must be known (`canonicalText`): in a JSON field it is in quotes.
 *
 * Multipart form data rewrites lone surrogates (WHATWG HTML, "multipart/form-data encoding
 * algorithm"), and so does TextEncoder, in the same way: what is hashed here is what must be sent.
 */
export function valueBytes(value: ItemValue): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(plainText(value))
}

/** Lowercase hex of a digest. */
export function toHex(digest: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
