import { expect, test } from 'vitest'
import { textOf, type SchemaField } from '../src/index.ts'

const field: SchemaField = { name: 'site', type: 'url' }
const { fromFile, fromText } = textOf(field)!

test.each([
  ['https://example.org', 'https://example.org/'],
  [' HTTP://Example.ORG:80/\u00fc\n', 'http://example.org/%C3%BC'],
  [
    'https://b\u00fccher.example/a b?q=\u2713#\u00e9',
    'https://xn--bcher-kva.example/a%20b?q=%E2%9C%93#%C3%A9',
  ],
  ['https://example.org/a/../b', 'https://example.org/b'],
])('%j is kept as %j', (text, kept) => {
  expect(fromFile(text, field)).toEqual({ ok: true, value: kept })
  expect(fromText(kept, field)).toEqual({ ok: true, value: kept })
  expect(fromText(text, field)).toEqual({ ok: false, reason: `must be written ${kept}` })
})

test.each([
  '',
  'example.org',
  '//example.org/',
  'javascript:alert(1)',
  'data:text/html,a',
  'ftp://example.org/',
  'https://ada:secret@example.org/',
  'https://ada@example.org/',
  'https://exa\nmple.org/',
  'https://',
  'https://a b/',
  `https://example.org/${'a'.repeat(8000)}`,
])('%j is no URL', (text) => {
  expect(fromFile(text, field)).toMatchObject({ ok: false })
})
