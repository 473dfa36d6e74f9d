import { describe, expect, test } from 'vitest'
import {
  checkView,
  checkViewDescription,
  fieldsAlong,
  operatorsFor,
  withSchemas,
  type Path,
  type Predicate,
  type ValueType,
} from '../src/index.ts'
import { resolve } from './photos.ts'

function checked(clauses: object) {
  const result = checkView({ name: 'v', base: 'photos', ...clauses }, resolve)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.value
}

/** A predicate with its paths as text, to be read. */
function plain(predicate: Predicate): unknown {
  if (predicate.kind === 'not') return { not: plain(predicate.of) }
  if (predicate.kind === 'all' || predicate.kind === 'any') {
    return { [predicate.kind]: predicate.of.map(plain) }
  }
  const { kind, subject, ...operand } = predicate
  const measure = subject.measure === 'value' ? '' : ` ${subject.measure}`
  return [kind, subject.path.text + measure, ...Object.values(operand)]
}

const meaning = (where: object) => checked({ where }).where.map(({ predicate }) => plain(predicate))

describe('the predicates of a condition', () => {
  test.each<[object, unknown[]]>([
    [{ title: { eq: 'a' } }, [['eq', 'title', 'a']]],
    [{ title: { neq: 'a' } }, [{ not: ['eq', 'title', 'a'] }]],
    [{ title: { nin: ['a', 'b'] } }, [{ not: ['in', 'title', ['a', 'b']] }]],
    [
      { id: { between: [2, 5] } },
      [
        {
          all: [
            ['gte', 'id', 2],
            ['lte', 'id', 5],
          ],
        },
      ],
    ],
    [{ title: { icontains: 'STRASSE ß' } }, [['icontains', 'title', 'strasse ss']]],
    [
      { notes: { empty: true } },
      [
        {
          any: [
            ['missing', 'notes'],
            ['eq', 'notes', ''],
          ],
        },
      ],
    ],
    [{ taken_by: { empty: false } }, [{ not: ['missing', 'taken_by'] }]],
    [{ title: { length: 5 } }, [['eq', 'title length', 5]]],
    [{ image: { mime: 'IMAGE/*' } }, [['starts_with', 'image mime', 'image/']]],
    [
      { image: { mime: { nin: ['image/png', 'image/*'] } } },
      [
        {
          not: {
            any: [
              ['eq', 'image mime', 'image/png'],
              ['starts_with', 'image mime', 'image/'],
            ],
          },
        },
      ],
    ],
    [{ createdAt: { lt: '2026-01-02' } }, [['lt', 'createdAt', Date.UTC(2026, 0, 2)]]],
    [
      { createdAt: { gte: '2026-01-02T03:04:05.006Z' } },
      [['gte', 'createdAt', Date.UTC(2026, 0, 2, 3, 4, 5, 6)]],
    ],
    [{ 'taken_by.country.code': { eq: 'NZ' } }, [['eq', 'taken_by.country.code', 'NZ']]],
    [
      { any: [{ title: { eq: 'a' }, id: { gt: 1 } }, { not: { id: { eq: 2 } } }] },
      [
        {
          any: [
            {
              all: [
                ['eq', 'title', 'a'],
                ['gt', 'id', 1],
              ],
            },
            { not: ['eq', 'id', 2] },
          ],
        },
      ],
    ],
  ])('%j', (where, predicates) => {
    expect(meaning(where)).toEqual(predicates)
  })

  test('falls apart into clauses that say where they stand', () => {
    const where = {
      all: [{ title: { eq: 'a' } }, { all: [{ id: { gt: 1 }, notes: { empty: true } }] }],
      any: [{ id: { eq: 1 } }],
    }
    expect(checked({ where }).where.map(({ at }) => at.join('.'))).toEqual([
      'where.all.0.title',
      'where.all.1.all.0.id',
      'where.all.1.all.0.notes',
      'where.any',
    ])
  })
})

test('a path knows its steps, its end and whether it can be missing', () => {
  const { path } = checked({ order: '-taken_by.country.code' }).order[0]!
  expect(path).toEqual({
    text: 'taken_by.country.code',
    steps: [
      { name: 'taken_by', type: 'reference', target: 'people' },
      { name: 'country', type: 'reference', target: 'countries', optional: true },
    ],
    field: { name: 'code', type: 'string', length: 2 },
    optional: true,
  } satisfies Path)
  expect(checked({ order: 'taken_by.id' }).order[0]!.path.optional).toBe(false)
})

describe('the schema of a view', () => {
  test('is that of its base when it names no fields', () => {
    expect(checked({}).schema).toEqual(resolve('photos'))
  })

  test('follows references: types stay, and what can be missing is optional', () => {
    const fields = [
      'image',
      { name: 'caption', from: 'title' },
      { name: 'photographer', from: 'taken_by.name' },
      { name: 'boss', from: 'taken_by.boss' },
      { name: 'boss_name', from: 'taken_by.boss.name' },
      { name: 'flag', from: 'taken_by.country.flag' },
    ]
    const view = checked({ fields })
    expect(view.schema).toEqual([
      { name: 'image', type: 'binary', mime: 'image/*' },
      { name: 'caption', type: 'string', length: 120 },
      { name: 'photographer', type: 'string', length: 80 },
      { name: 'boss', type: 'reference', target: 'people', optional: true },
      { name: 'boss_name', type: 'string', length: 80, optional: true },
      { name: 'flag', type: 'binary', mime: 'image/png', optional: true },
    ])
    expect(view.fields.map(({ path }) => path.text)).toEqual(
      fields.map((field) => (typeof field === 'string' ? field : field.from)),
    )
  })

  test('leaves out the fields of except', () => {
    const { schema } = checked({ fields: { except: ['title', 'image'] } })
    expect(schema.map(({ name }) => name)).toEqual(['taken_by', 'notes'])
  })
})

test('schemas that must be waited for are asked for once each, as far as the paths go', async () => {
  const asked: string[] = []
  const where = { 'taken_by.boss.country.code': { eq: 'NZ' }, 'taken_by.name': { eq: 'A' } }
  const view = await withSchemas(
    (found) => checkView({ name: 'v', base: 'photos', where }, found),
    async (name) => {
      asked.push(name)
      return resolve(name)
    },
  )
  expect(view.ok).toBe(true)
  expect(asked).toEqual(['photos', 'people', 'countries'])
})

test('a view depends on what its paths go to, and refers to what it links to', () => {
  const view = checked({ where: { 'taken_by.country.code': { eq: 'NZ' } }, fields: ['title'] })
  expect(view.dependsOn).toEqual(['photos', 'people', 'countries'])
  expect(view.referencesTo).toEqual(['photos', 'people', 'countries'])
  expect(checked({}).dependsOn).toEqual(['photos'])
  expect(checked({}).referencesTo).toEqual(['photos', 'people'])
})

test('the canonical form has one spelling, whatever the order of keys', () => {
  const written = {
    fields: ['image', { from: 'title', name: 'caption' }],
    order: '-title',
    split: { take: 'b', salt: '', by: 'id', parts: { b: 1, a: 2 } },
    where: {
      title: { length: 5, icontains: 'x' },
      all: [{ notes: { neq: 'b', empty: true } }],
    },
    base: 'photos',
    limit: 3,
    name: 'v',
  }
  const canonical =
    '{"name":"v","base":"photos","where":{"all":[{"notes":{"empty":true,"neq":"b"}}],"title":{"icontains":"x","length":{"eq":5}}},"split":{"parts":{"a":2,"b":1},"take":"b"},"order":["-title"],"limit":3,"fields":[{"name":"image","from":"image"},{"name":"caption","from":"title"}]}'
  const alone = checkViewDescription(written)
  expect(JSON.stringify(alone.ok && alone.value)).toBe(canonical)
  const inPlace = checkView(written, resolve)
  expect(JSON.stringify(inPlace.ok && inPlace.value.description)).toBe(canonical)
})

function fieldNames(references: string[]): string[] | undefined {
  return fieldsAlong(references, 'photos', resolve)?.map(({ name }) => name)
}

function operatorNames(type: ValueType): string[] {
  return operatorsFor(type).map(({ name }) => name)
}

describe('for completion', () => {
  test('fields along a path', () => {
    expect(fieldNames([])).toEqual(['title', 'taken_by', 'image', 'notes', 'id', 'createdAt'])
    expect(fieldNames(['taken_by', 'boss'])).toEqual(['name', 'country', 'boss', 'id', 'createdAt'])
    expect(fieldNames(['title'])).toBeUndefined()
    expect(fieldNames(['nobody'])).toBeUndefined()
  })

  test('operators that fit', () => {
    expect(operatorNames('binary')).toEqual(['empty', 'sha256', 'mime', 'bytes'])
    expect(operatorNames('mime')).toEqual(['eq', 'neq', 'in', 'nin'])
    expect(operatorNames('createdAt')).not.toContain('contains')
  })
})
