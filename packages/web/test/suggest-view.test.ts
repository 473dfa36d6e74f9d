import type { SchemaField } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { helpAt } from '../src/describe/suggest/help-at.ts'
import { suggestAt, type DatasetLookup, type Suggestion } from '../src/describe/suggest/suggest.ts'
import { viewRules } from '../src/describe/suggest/view-rules.ts'
import { yamlPlace } from '../src/describe/suggest/yaml-place.ts'
import { photoLookup } from './photo-lookup.ts'

/** Returns the suggestions at `|`; a line `base: photos` comes first. */
async function suggestions(marked: string, first = 'base: photos\n'): Promise<Suggestion[]> {
  const text = first + marked
  const place = yamlPlace(text.replace('|', ''), text.indexOf('|'))
  return place === undefined ? [] : suggestAt(viewRules, place, photoLookup)
}

async function labels(marked: string, first?: string): Promise<string[]> {
  return (await suggestions(marked, first)).map(({ label }) => label)
}

/** Returns the text after a suggestion was taken; `|` is the cursor. */
async function written(marked: string, label: string): Promise<string> {
  const found = (await suggestions(marked)).find((each) => each.label === label)
  if (found === undefined) throw new Error(`${label} is not suggested`)
  const { before = '', insert = label, after = ' ', tail = '', kind } = found
  return marked.replace('|', `${before}${insert}${kind === 'key' ? `:${after}` : ''}|${tail}`)
}

const paths = ['title', 'taken_by', 'image', 'id', 'createdAt', 'taken_by.name', 'taken_by.boss']
const logic = ['all', 'any', 'not']
const ofPeople = ['taken_by.name', 'taken_by.boss', 'taken_by.id', 'taken_by.createdAt']
const ofBosses = ['taken_by.boss.name', 'taken_by.boss.boss']

test('clauses and bases', async () => {
  const clauses = ['base', 'description', 'current', 'where', 'split', 'order', 'limit', 'fields']
  expect(await labels('---\nname: cats\n|', '')).toEqual(clauses)
  expect(await labels('---\nname: cats\nbase: p|', '')).toEqual(['photos', 'people'])
  expect(await labels('---\nname: cats\ncurrent: |', '')).toEqual(['true'])
})

describe('the where clause', () => {
  test.each([
    'where:\n  |',
    'where: |',
    'where: { | }',
    'where:\n  not:\n    |',
    'where:\n  any:\n    - |',
    'where:\n  any: [{ id: { eq: 1 } }, |]',
    'where:\n  all:\n    - any:\n        - not: { | }',
  ])('offers paths and logic at %j', async (marked) => {
    expect(await labels(marked)).toEqual([...paths, ...logic])
  })

  test('offers what is not there yet', async () => {
    expect(await labels('where:\n  title: { eq: a }\n  |')).not.toContain('title')
  })

  test('follows references, several of them', async () => {
    expect(await labels('where:\n  taken_by.|')).toEqual([...ofPeople, ...ofBosses, ...logic])
    expect(await labels('where: { taken_by.boss.na| }')).toContain('taken_by.boss.name')
    expect(await labels('where: { title.| }')).toEqual(logic)
  })

  test('offers operators that fit the type', async () => {
    const first = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'between']
    expect(await labels('where:\n  title: |')).toEqual([
      ...first,
      'contains',
      'icontains',
      'search',
      'starts_with',
      'ends_with',
      'empty',
      'length',
    ])
    expect(await labels('where:\n  image: { | }')).toEqual(['empty', 'sha256', 'mime', 'bytes'])
    expect(await labels('where:\n  taken_by.boss:\n    |')).toEqual([...first, 'empty'])
    expect(await labels('where: { createdAt: { lt: 2026-01-01, | } }')).toEqual(
      first.filter((name) => name !== 'lt'),
    )
    expect(await labels('where: { title: { length: { | } } }')).toEqual(first)
    expect(await labels('where: { nowhere: { | } }')).toEqual([])
  })

  test('says what an operator means', async () => {
    const found = await suggestions('where: { title: { ic| } }')
    expect(found.find(({ label }) => label === 'icontains')).toMatchObject({
      note: 'has a text in it, whatever the case (Unicode full case folding)',
      info: '{ title: { icontains: STRASSE } }',
    })
  })

  test('offers operands where they are known', async () => {
    expect(await labels('where: { title: { empty: | } }')).toEqual(['true', 'false'])
    expect(await labels('where: { image: { mime: { eq: | } } }')).toContain('image/png')
    expect(await labels('where: { image: { mime: ima| } }')).toContain('image/png')
    expect(await labels('where: { title: { eq: | } }')).toEqual([])
    const names = ['1984', 'Ada: the first', 'Frances Spence']
    expect(await labels('where: { taken_by.name: { eq: | } }')).toEqual(names)
    expect(await labels('where: { taken_by.boss.name: { in: [Ada, |] } }')).toEqual(names)
    expect(await labels('where: { taken_by.name: { contains: | } }')).toEqual([])
    expect(await suggestions('where: { taken_by: { in: [|] } }')).toMatchObject([
      { label: '1', note: 'Ada: the first' },
      { label: '2', note: 'Frances Spence' },
      { label: '4', note: '1984' },
      { label: '5', note: 'Frances Spence' },
    ])
  })

  test.each([
    ['where:\n  |', 'title', 'where:\n  title: |'],
    ['where: |', 'title', 'where: { title: | }'],
    ['where:\n  title: |', 'eq', 'where:\n  title: { eq: | }'],
    ['where:\n  title: |', 'in', 'where:\n  title: { in: [|] }'],
    ['where:\n  title:\n    |', 'eq', 'where:\n  title:\n    eq: |'],
    ['where:\n  |', 'any', 'where:\n  any:\n    - |'],
    ['where:\n  any:\n    - |', 'not', 'where:\n  any:\n    - not:\n        |'],
    ['where:\n  any:\n    |', 'title', 'where:\n  any:\n    - title: |'],
    ['where: { any: | }', 'title', 'where: { any: [{ title: | }] }'],
    ['where: { | }', 'not', 'where: { not: { | } }'],
    ['where: { taken_by.name: { eq: | } }', '1984', 'where: { taken_by.name: { eq: "1984"| } }'],
    [
      'where: { taken_by.name: { in: [|] } }',
      'Ada: the first',
      'where: { taken_by.name: { in: ["Ada: the first"|] } }',
    ],
    ['where: { taken_by: { eq: | } }', '4', 'where: { taken_by: { eq: 4| } }'],
    ['where: { title: { length: | } }', 'gt', 'where: { title: { length: { gt: | } } }'],
  ])('%j with %s is written as %j', async (marked, label, text) => {
    expect(await written(marked, label)).toBe(text)
  })
})

test('split', async () => {
  expect(await labels('split:\n  |')).toEqual(['by', 'salt', 'parts', 'take'])
  expect(await labels('split: { by: | }')).toEqual(paths.filter((path) => path !== 'createdAt'))
  expect(await labels('split: { parts: { a: 1, b: 2 }, take: | }')).toEqual(['a', 'b'])
  expect(await written('split: |', 'by')).toBe('split: { by: | }')
  expect(await labels('split:\n  parts: |\n  take: a')).toHaveLength(2)
})

test('order', async () => {
  const keys = paths.filter((path) => path !== 'image')
  const near = ['-title', '-taken_by', '-id', '-createdAt', 'natural:title']
  expect(await labels('order: |')).toEqual([...keys, ...near])
  expect(await labels('order: [-title, |]')).not.toContain('title')
  const natural = ['-natural:title', '-natural:taken_by.name']
  expect(await labels('order:\n  - -|')).toEqual([...keys.map((key) => `-${key}`), ...natural])
  expect(await labels('order: [natural:|]')).toEqual(['natural:title', 'natural:taken_by.name'])
  expect(await labels('order: -natural:taken_by.n|')).toContain('-natural:taken_by.name')
  expect(await labels('order: [-natural:title, |]')).not.toContain('title')
  expect(await written('order: [-natural:ti|]', '-natural:title')).toContain('-natural:title|')
  expect(await labels('order: [-taken_by.boss.n|]')).toContain('-taken_by.boss.name')
})

test('values of choices and booleans; no order by JSON', async () => {
  const schema: SchemaField[] = [
    { name: 'size', type: 'string', length: 9, choices: ['S', 'null', 'L'] },
    { name: 'capital', type: 'boolean' },
    { name: 'names', type: 'json' },
  ]
  const info = { ...(await photoLookup.info('photos'))!, schema }
  const lookup: DatasetLookup = { ...photoLookup, info: async () => info }
  const offered = async (marked: string) => {
    const text = `base: things\n${marked}`
    const place = yamlPlace(text.replace('|', ''), text.indexOf('|'))!
    return suggestAt(viewRules, place, lookup)
  }
  const inserts = async (marked: string) =>
    (await offered(marked)).map(({ label, insert = label }) => insert)
  expect(await inserts('where: { size: { eq: | } }')).toEqual(['S', '"null"', 'L'])
  expect(await inserts('where: { capital: { eq: | } }')).toEqual(['true', 'false'])
  expect(await inserts('where: { names: { | } }')).toEqual(['search', 'empty'])
  const keys = ['size', 'capital', 'id', 'createdAt']
  expect(await inserts('order: |')).toEqual([...keys, ...keys.map((key) => `-${key}`)])
})

describe('fields', () => {
  test('fields of the base that are not picked yet', async () => {
    const far = ['taken_by.name', 'taken_by.boss']
    expect(await labels('fields:\n  - title\n  - |')).toEqual(['taken_by', 'image', ...far])
    expect(await labels('fields:\n  - { name: x, from: | }')).toContain('title')
    expect(await labels('fields: { except: [image, |] }')).toEqual(['title', 'taken_by'])
  })

  test('a followed field comes with a name', async () => {
    expect(await written('fields: [|]', 'taken_by.name')).toBe(
      'fields: [{ name: name, from: taken_by.name }|]',
    )
  })

  test('types that a field can be cast to', async () => {
    expect(await labels('fields: [{ name: x, from: title, | }]')).toEqual(['as'])
    expect(await labels('fields: [{ name: x, from: title, as: string, | }]')).toEqual(['choices'])
    const cast = (from: string) => labels(`fields: [{ name: x, from: ${from}, as: | }]`)
    expect(await cast('title')).toEqual([
      'integer',
      'number',
      'boolean',
      'date',
      'timestamp',
      'duration',
      'json',
    ])
    expect(await cast('taken_by')).toEqual(['string', 'integer'])
    expect(await cast('image')).toEqual([])
  })

  test('except, and nothing of an unknown base', async () => {
    expect(await labels('fields:\n  e|')).toEqual(['except'])
    expect(await labels('fields:\n  - |', 'base: nowhere\n')).toEqual([])
  })
})

describe('help', () => {
  const help = async (marked: string) => {
    const text = `base: photos\n${marked}`
    const cursor = text.indexOf('|')
    const found = await helpAt(viewRules, text.replace('|', ''), cursor, photoLookup)
    return found && `${found.label}: ${found.note}`
  }

  test.each([
    ['whe|re: { title: { eq: a } }', 'where: the items it keeps; all when left out'],
    ['where: { ti|tle: { eq: a } }', 'title: string of at most 120'],
    ['where: { taken|_by.name: { eq: a } }', 'taken_by.name: string of at most 80'],
    ['where: { title: { eq|: a } }', 'eq: equals'],
    ['order: [-|title]', '-title: highest first'],
    ['order: [-nat|ural:title]', '-natural:title: img10 before img2'],
    ['order: natural:ti|tle', 'natural:title: img2 before img10'],
    ['fields: [{ name: x, from: title, as: bool|ean }]', 'boolean: true or false'],
    ['fields: [image|]', 'image: binary image/png'],
    ['fields: [taken|_by]', 'taken_by: reference to people'],
  ])('explains the word in %j', async (marked, said) => {
    expect(await help(marked)).toBe(said)
  })

  test.each(['where: { title: { eq: a| } }', 'description: whe|re', 'where: { titel|: 1 }', '|'])(
    'has nothing to say in %j',
    async (marked) => {
      expect(await help(marked)).toBeUndefined()
    },
  )
})
