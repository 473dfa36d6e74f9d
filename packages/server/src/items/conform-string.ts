import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { StringField } from '@vitrine/contract'
import { tooLongText, unfitText } from '@vitrine/contract/unfit-text'
import type { Conformed } from './conform.ts'
import { gather } from '../values/read-small-value.ts'

/** A byte order mark is a character of the value like any other: the digest is over it too. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The most bytes of a code point in UTF-8 (RFC 3629 §3). */
const codePointBytesMax = 4

export async function conformString(field: StringField, bytes: Readable): Promise<Conformed> {
  const value = await gather(bytes, field.length * codePointBytesMax)
  if (value === undefined) return { ok: false, reason: tooLongText(field) }
  let text: string
  try {
    text = utf8.decode(value)
  } catch {
    return { ok: false, reason: 'must be valid UTF-8' }
  }
  const reason = unfitText(field, text)
  if (reason !== undefined) return { ok: false, reason }
  return { ok: true, value: { type: 'string', text, sha256: hash('sha256', value) } }
}
