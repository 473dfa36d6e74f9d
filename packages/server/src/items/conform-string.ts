import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { countCodePoints, type StringField } from '@vitrine/contract'
import type { Conformed } from './conform.ts'
import { gather } from './gather.ts'

/** A byte order mark is a character of the value like any other: the digest is over it too. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The most bytes of a code point in UTF-8 (RFC 3629 §3). */
const codePointBytesMax = 4

export async function conformString({ length }: StringField, bytes: Readable): Promise<Conformed> {
  const tooLong = `must be at most ${length} characters (code points)`
  const value = await gather(bytes, length * codePointBytesMax)
  if (value === undefined) return { ok: false, reason: tooLong }
  let text: string
  try {
    text = utf8.decode(value)
  } catch {
    return { ok: false, reason: 'must be valid UTF-8' }
  }
  if (text.includes('\0')) return { ok: false, reason: 'must not contain U+0000' }
  if (text.length > length && countCodePoints(text) > length) return { ok: false, reason: tooLong }
  return { ok: true, value: { type: 'string', text, sha256: hash('sha256', value) } }
}
