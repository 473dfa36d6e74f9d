import type { RepoDescription } from '@vitrine/contract'
import { expect, test } from 'vitest'
import { extensionKind } from '../src/describe/extension-kind.ts'

const before: RepoDescription = {
  name: 'photos',
  schema: [
    { name: 'title', type: 'string', length: 100 },
    { name: 'notes', type: 'string', length: 100, optional: true },
  ],
}
const { check } = extensionKind(before)
const [title, notes] = before.schema

test('an extension is taken', () => {
  const more = { name: 'stars', type: 'integer', optional: true }
  const extended = { ...before, license: 'MIT', schema: [title, notes, more] }
  expect(check(extended)).toEqual({ ok: true, value: extended })
})

test('a change that is no extension is a problem at the field that it concerns', () => {
  const shorter = { ...title, length: 5 }
  expect(check({ name: 'pictures', schema: [shorter] })).toEqual({
    ok: false,
    problems: [
      {
        path: ['name'],
        reason: 'name "pictures" instead of "photos"; a repository keeps its name',
      },
      {
        path: ['schema', 0],
        reason: 'title: length 5 instead of 100; values may be longer',
      },
      { path: ['schema'], reason: 'notes: removed; items have it', atKey: true },
    ],
  })
})
