import { expect, test } from 'vitest'
import { hashToken, isTokenText, makeTokenText } from '../src/access/personal-token.ts'

test('a token is found by its beginning, and is never the same', () => {
  const made = Array.from({ length: 1000 }, makeTokenText)
  for (const text of made) {
    expect(text).toMatch(/^vtr_[0-9A-Za-z]{49}$/)
    expect(isTokenText(text)).toBe(true)
  }
  expect(new Set(made).size).toBe(made.length)
  expect(new Set(made.map(hashToken)).size).toBe(made.length)
})

test('a token with one character changed, missing or too many is none', () => {
  const text = makeTokenText()
  for (let at = 0; at < text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)]
    expect(isTokenText(before + (text[at] === 'a' ? 'b' : 'a') + after)).toBe(false)
    expect(isTokenText(before + after)).toBe(false)
    expect(isTokenText(`${before}0${text.slice(at)}`)).toBe(false)
  }
  for (const other of ['', 'vtr_', `${text} `, ` ${text}`, text.toUpperCase(), `${text}\n`]) {
    expect(isTokenText(other)).toBe(false)
  }
})

test('checksums are those of CRC-32, in digits of 62', () => {
  // `zlib.crc32(b'vtr_' + 43 * b'0')` of Python is 1656869149.
  expect(isTokenText(`vtr_${'0'.repeat(43)}1o83Lx`)).toBe(true)
})
