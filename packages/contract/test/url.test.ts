import { expect, test } from 'vitest'
import { textOf, type SchemaField } from '../src/index.ts'

const field: SchemaField = { name: 'site', type: 'url' }
const { fromFile, fromText } = textOf(field)!

test.each([
  ['https://example.org', 'https://example.org/'],
  [' HTTP://Example.ORG:80/\u00fc\n', 'http://example.org/%C3%BC'],
  [
    'https://b\u00fccher.example/a%20b?q=\u2713#\u00e9',
    'https://xn--bcher-kva.example/a%20b?q=%E2%9C%93#%C3%A9',
  ],
  ['https://example.org/a/../b', 'https://example.org/b'],
])('%j is kept as %j', (text, kept) => {
  expect(fromFile(text, field)).toEqual({ ok: true, value: kept })
  expect(fromText(kept, field)).toEqual({ ok: true, value: kept })
  expect(fromText(text, field)).toEqual({ ok: false, reason: `must be written ${kept}` })
})

test.each([
  'https://example.org./',
  'http://[::1]:8080/',
  'https://example.org/?a=\\b',
  'https://web.archive.org/web/2020/https://example.org/',
  'https://example.org/?u=https://example.net/&v=http://a',
  'https://example.org/?u%3Dhttps://example.net/#https://a',
])('%j is kept as it is', (text) => {
  expect(fromFile(text, field)).toEqual({ ok: true, value: text })
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
  'https://example.org/a b',
  'https://example.org/a\tb',
  'https://example.org/a\u00a0b',
  '\u0001https://example.org/',
  'https://example.org/ https://example.net/',
  'https://example.org/,https://example.net/',
  'https://example.org/?id=1;https://example.org/?id=2',
  'https://example.org/ahttps://example.net/',
  'https://example.orghttps://example.net/',
  'http:example.org',
  'http:/example.org',
  'https:///example.org/',
  'https:\\\\example.org\\',
  'https://example.org\\a',
  'https://@example.org/',
  'https://a..b/',
  'https://.example.org/',
  'https://example.org../',
  'https://\u3002example.org/',
  `https://example.org/${'a'.repeat(8000)}`,
])('%j is no URL', (text) => {
  expect(fromFile(text, field)).toMatchObject({ ok: false })
})
