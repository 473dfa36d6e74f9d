import { expect, test } from 'vitest'
import { contentKind } from '../src/values/binary/BinaryContent.tsx'
import { decodeText, readableJson } from '../src/values/binary/TextContent.tsx'

test.each<[number[], string, string]>([
  [[0xc3, 0xa4], 'text/plain', 'ä'],
  [[0xe4], 'text/plain; charset=iso-8859-1', 'ä'],
  [[0xe4], 'text/plain; charset="windows-1252"', 'ä'],
  [[0xff, 0xfe, 0x61, 0x00], 'text/plain; charset=utf-8', 'a'],
  [[0xef, 0xbb, 0xbf, 0x61], 'text/plain; charset=iso-8859-1', 'a'],
  [[0x61, 0xff], 'text/plain', 'a\ufffd'],
  [[0x61], 'text/plain; charset=nonsense', 'a'],
])('bytes %j of %s are %s', (bytes, mediaType, text) => {
  expect(decodeText(new Uint8Array(bytes), { mediaType, isWhole: true })).toBe(text)
})

test('a character that is cut off is left out where more follows', () => {
  const bytes = new Uint8Array([0x61, 0xc3])
  expect(decodeText(bytes, { isWhole: false })).toBe('a')
  expect(decodeText(bytes, { isWhole: true })).toBe('a\ufffd')
})

test.each([
  ['text/html', 'text'],
  ['application/xhtml+xml', 'text'],
  ['image/svg+xml', 'image'],
  ['application/ld+json', 'json'],
  ['Application/PDF', 'pdf'],
  ['audio/ogg', 'audio'],
  ['application/javascript', undefined],
  ['', undefined],
])('%s is shown as %s', (mime, kind) => {
  expect(contentKind(mime)).toBe(kind)
})

test('JSON is read where nothing in it would be shown as something else', { tags: 'long' }, () => {
  expect(readableJson('{"a":[1]}')).toEqual({ value: { a: [1] } })
  expect(readableJson('{"n":12345678901234567890}')).toBe(undefined)
  expect(readableJson('{')).toBe(undefined)
  expect(readableJson('['.repeat(10_000_000))).toBe(undefined)
})
