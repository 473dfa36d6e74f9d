import { expect, test } from 'vitest'
import { detectEncoding, toUtf8 } from '../src/text/detect-encoding.ts'
import { UnreadableFile } from '../src/row-batch.ts'

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

/** Decodes bytes that come in pieces of a size. */
async function decode(bytes: Uint8Array, encoding: string, size: number): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const parts: Uint8Array[] = []
  for await (const part of toUtf8(pieces(), encoding)) parts.push(part)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
}

test.each<[encoding: string, bytes: Uint8Array, text: string]>([
  ['windows-1252', Uint8Array.of(0x80, 0x92, 0xe9, 0x0a), '€’é\n'],
  ['iso-8859-2', Uint8Array.of(0xb1, 0xe6), 'ąć'],
  ['koi8-r', Uint8Array.of(0xed, 0xcf), 'Мо'],
  ['shift_jis', Uint8Array.of(0x93, 0x8c, 0x8b, 0x9e, 0x0a), '東京\n'],
  ['gb18030', Uint8Array.of(0x84, 0x31, 0xa4, 0x37, 0xb1, 0xb1), '\ufffd北'],
  ['utf-16le', utf16('\ufeffa,😀\r\n\ufffd'), 'a,😀\r\n\ufffd'],
  ['utf-16be', swapped('a,ü'), 'a,ü'],
])('%s is read, wherever it is cut', async (encoding, bytes, text) => {
  for (const size of [1, 2, 3, 5, 1000]) expect(await decode(bytes, encoding, size)).toBe(text)
})

test.each<[encoding: string, bytes: Uint8Array, reason: string]>([
  ['shift_jis', Uint8Array.of(0x61, 0x0a, 0x0d, 0x0a, 0xff), 'Line 3 is not valid shift_jis'],
  ['shift_jis', Uint8Array.of(0x61, 0x0a, 0x93), 'Line 2 is not valid shift_jis'],
  ['utf-16le', utf16('a\n\n\ud83d!'), 'Line 3 is not valid utf-16le'],
  ['utf-16le', utf16('a\nb').subarray(0, 5), 'Line 2 is not valid utf-16le'],
  ['windows-1253', Uint8Array.of(0x61, 0xaa), 'Line 1 is not valid windows-1253'],
  ['windows-1252', latin1('ï»¿a'), 'The file begins with the byte order mark of utf-8'],
  ['utf-16be', utf16('\ufeffa'), 'The file begins with the byte order mark of utf-16le'],
])('bytes that are not %s are refused', async (encoding, bytes, reason) => {
  const failure = await decode(bytes, encoding, 1000).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UnreadableFile)
  expect((failure as Error).message).toContain(reason)
})

test('an encoding is proposed where the text is not UTF-8', async () => {
  expect(await detectEncoding(new TextEncoder().encode('a,ü\n').subarray(0, 3))).toBeUndefined()
  expect(await detectEncoding(new TextEncoder().encode('\ufeffa'))).toBeUndefined()
  expect(await detectEncoding(utf16('\ufeffa'))).toBe('utf-16le')
  expect(await detectEncoding(utf16('name,x\n1'))).toBe('utf-16le')
  expect(await detectEncoding(swapped('name,x\n1'))).toBe('utf-16be')
  expect(await detectEncoding(latin1('name,x\nKöln,5\n'))).toBe('windows-1252')
  const russian = Buffer.from(
    'cff0e8e2e5f22c20ece8f02120ddf2ee20eff0eef1f2eee920f2e5eaf1f220e4ebff20e2f1e5f5',
    'hex',
  )
  expect(await detectEncoding(russian)).toBe('windows-1251')
})
