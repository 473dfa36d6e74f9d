import type { DatasetInfo } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { repoRules } from '../src/describe/suggest/repo-rules.ts'
import { suggestAt, type DatasetLookup, type SuggestRule } from '../src/describe/suggest/suggest.ts'
import { yamlPlace } from '../src/describe/suggest/yaml-place.ts'

const photos: DatasetInfo = {
  name: 'photos',
  createdAt: '2026-01-01T00:00:00.000Z',
  schema: [
    { name: 'title', type: 'string', length: 120 },
    { name: 'taken_by', type: 'reference', target: 'people' },
    { name: 'image', type: 'binary', mime: 'image/png' },
  ],
  repo: {},
  referencesTo: [],
  referencedBy: [],
}

const lookup: DatasetLookup = {
  names: async () => ['photos', 'people'],
  info: async (name) => (name === 'photos' ? photos : undefined),
  items: async () => [],
}

/** The labels suggested where `|` stands. */
async function labels(rules: readonly SuggestRule[], marked: string): Promise<string[]> {
  const cursor = marked.indexOf('|')
  const place = yamlPlace(marked.replace('|', ''), cursor)
  if (place === undefined) return []
  return (await suggestAt(rules, place, lookup)).map(({ label }) => label)
}

const atRepo = (marked: string) => labels(repoRules, marked)

const metadata = ['label', 'cover', 'license', 'source', 'readme']

describe('a repository description', () => {
  test('top keys in an empty document', async () => {
    expect(await atRepo('---\n|')).toEqual(['name', 'description', 'schema', ...metadata])
  })

  test('top keys that are not there yet', async () => {
    expect(await atRepo('---\nname: photos\n|\nschema:\n  - name: a')).toEqual([
      'description',
      ...metadata,
    ])
  })

  test('fields that fit label and cover, and SPDX licenses', async () => {
    const schema =
      'schema:\n- {name: title, type: string}\n- {name: image, type: binary, mime: image/png}\n'
    expect(await atRepo(`${schema}label: |`)).toEqual(['title'])
    expect(await atRepo(`${schema}cover: |`)).toEqual(['image'])
    expect(await atRepo('license: CC|')).toContain('CC-BY-4.0')
    expect(await atRepo('schema: text\nlabel: |')).toEqual([])
  })

  test('a key being rewritten is offered again', async () => {
    expect(await atRepo('---\nna|me: photos\n')).toContain('name')
  })

  test('the first field of the schema', async () => {
    expect(await atRepo('schema:\n  |')).toEqual(['name'])
    expect(await atRepo('schema: |')).toEqual([])
  })

  test('keys of a field by its type', async () => {
    expect(await atRepo('schema:\n  - name: a\n    type: string\n    |')).toEqual([
      'length',
      'choices',
      'optional',
    ])
    expect(await atRepo('schema:\n  - name: a\n    type: reference\n    t|')).toEqual([
      'target',
      'optional',
    ])
    expect(await atRepo('schema:\n  - { name: a, type: binary, | }')).toEqual(['mime', 'optional'])
  })

  test('every key of a field while its type is unknown', async () => {
    expect(await atRepo('schema:\n  - |')).toEqual([
      'name',
      'type',
      'length',
      'choices',
      'target',
      'mime',
      'optional',
    ])
    expect(await atRepo('schema:\n  - name: a\n    |\n  - name: b')).not.toContain('name')
  })

  test('types, in block and in unfinished flow style', async () => {
    const types = [
      'string',
      'integer',
      'number',
      'boolean',
      'date',
      'timestamp',
      'duration',
      'url',
      'json',
      'reference',
      'binary',
    ]
    expect(await atRepo('schema:\n  - name: a\n    type: |')).toEqual(types)
    expect(await atRepo('schema:\n  - { name: a, type: re|')).toEqual(types)
  })

  test('media types and targets', async () => {
    expect(await atRepo('schema:\n  - { type: binary, mime: image/| }')).toContain('image/png')
    expect(await atRepo('schema:\n  - { type: reference, target: | }')).toEqual([
      'photos',
      'people',
    ])
  })

  test('nothing in comments, prose, names and block scalars', async () => {
    expect(await atRepo('# na|')).toEqual([])
    expect(await atRepo('name: |')).toEqual([])
    expect(await atRepo('description: some te|')).toEqual([])
    expect(await labels(repoRules, 'description: >\n  te|')).toEqual([])
  })
})

test('a place gives the word that a suggestion replaces', () => {
  expect(yamlPlace('mime: image/p', 13)).toMatchObject({ from: 6, to: 13, path: ['mime'] })
  expect(yamlPlace('name: x', 2)).toMatchObject({ from: 0, to: 4, at: 'key', path: [] })
})
