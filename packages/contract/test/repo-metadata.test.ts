import { expect, test } from 'vitest'
import { checkRepoDescription, limits } from '../src/index.ts'

const schema = [
  { name: 'title', type: 'string', length: 100 },
  { name: 'image', type: 'binary', mime: 'image/*' },
  { name: 'notes', type: 'binary', mime: 'text/plain' },
]
const metadata = {
  description: 'Photos of the garden',
  label: 'title',
  cover: 'image',
  license: 'CC-BY-4.0',
  source: 'https://example.org/photos?year=2026',
  readme: '# Photos\n\nTaken in *May*.\n',
}

test('metadata comes back in one order', () => {
  const written = {
    schema,
    ...Object.fromEntries(Object.entries(metadata).toReversed()),
    name: 'p',
  }
  const checked = checkRepoDescription(written)
  expect(JSON.stringify(checked)).toBe(
    JSON.stringify({ ok: true, value: { name: 'p', ...metadata, schema } }),
  )
})

test.each([
  [
    'a label that is not there',
    { label: 'titel' },
    'label: unknown field "titel"; did you mean "title"?',
  ],
  ['a label that is no text', { label: 'image' }, 'label: must be a string, and "image" is none'],
  [
    'a cover that is no picture',
    { cover: 'notes' },
    'cover: must be a binary of an image type, and "notes" is none',
  ],
  [
    'a license that is a sentence',
    { license: 'Free for all' },
    'license: must be an SPDX license identifier, such as CC-BY-4.0',
  ],
  [
    'a source that is no address',
    { source: 'my desk' },
    'source: must be a URL that begins with http:// or https://, of at most 8000 bytes, without a user name or password',
  ],
  [
    'a source that looks like another',
    { source: 'https://example.org@evil.example/' },
    'source: must be a URL that begins with http:// or https://, of at most 8000 bytes, without a user name or password',
  ],
  [
    'a source that runs',
    { source: 'javascript:alert(1)' },
    'source: must be a URL that begins with http:// or https://, of at most 8000 bytes, without a user name or password',
  ],
  [
    'a readme beyond 64 KiB',
    { readme: 'é'.repeat(limits.readmeBytes / 2 + 1) },
    'readme: must be at most 65536 bytes',
  ],
  ['text that cannot be kept', { readme: 'a\0b' }, 'readme: '],
])('%s is refused', (_, given, expected) => {
  const checked = checkRepoDescription({ name: 'p', schema, ...given })
  const [problem] = checked.ok ? [] : checked.problems
  expect(`${problem?.path.join('.')}: ${problem?.reason}`).toContain(expected)
})

test('a readme of 64 KiB is taken', () => {
  const readme = 'é'.repeat(limits.readmeBytes / 2)
  expect(checkRepoDescription({ name: 'p', schema, readme }).ok).toBe(true)
})
