import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkRepoDescription,
  compareRepos,
  type RepoDescription,
  type SchemaField,
} from '../src/index.ts'

const title: SchemaField = { name: 'title', type: 'string', length: 100 }
const size: SchemaField = { name: 'size', type: 'string', length: 9, choices: ['S', 'M'] }
const image: SchemaField = { name: 'image', type: 'binary', mime: 'image/png' }
const by: SchemaField = { name: 'by', type: 'reference', target: 'people', optional: true }
const before: RepoDescription = { name: 'photos', schema: [title, size, image, by] }

const withSchema = (...schema: SchemaField[]): RepoDescription => ({ ...before, schema })
const said = (after: RepoDescription) =>
  compareRepos(before, after).map(({ field, change, reason }) =>
    [field, change, reason].filter((part) => part !== undefined).join(' | '),
  )

describe('an extension', () => {
  test.each<[string, RepoDescription, string[]]>([
    ['nothing', before, []],
    [
      'a new optional field',
      withSchema(...before.schema, { name: 'stars', type: 'integer', optional: true }),
      ['stars | new integer'],
    ],
    [
      'a longer text',
      withSchema({ ...title, length: 200 }, size, image, by),
      ['title | length 200 instead of 100'],
    ],
    [
      'a field that need not be there any more',
      withSchema({ ...title, optional: true }, size, image, by),
      ['title | optional instead of required'],
    ],
    [
      'more choices at the end',
      withSchema(title, { ...size, choices: ['S', 'M', 'L', 'XL'] }, image, by),
      ['size | more choices: "L", "XL"'],
    ],
    [
      'a wider media type',
      withSchema(title, size, { ...image, mime: 'image/*' }, by),
      ['image | media type image/* instead of image/png'],
    ],
    [
      'metadata',
      { ...before, license: 'CC0-1.0', label: 'title', description: 'Photos' },
      ['new description', 'new label', 'new license'],
    ],
  ])('is %s', (_, after, expected) => {
    expect(said(after)).toEqual(expected)
    expect(compareRepos(before, after).every(({ reason }) => reason === undefined)).toBe(true)
  })
})

describe('no extension', () => {
  test.each<[string, RepoDescription, string[]]>([
    [
      'another name',
      { ...before, name: 'pictures' },
      ['name "pictures" instead of "photos" | a repository keeps its name'],
    ],
    ['a field less', withSchema(title, size, image), ['by | removed | items have it']],
    [
      'a new required field',
      withSchema(...before.schema, { name: 'stars', type: 'integer' }),
      ['stars | new integer | items that are there have no value: make it optional'],
    ],
    [
      'a new field among those that are there',
      withSchema(title, { name: 'stars', type: 'integer', optional: true }, size, image, by),
      ['stars | new integer | new fields come last'],
    ],
    [
      'another order',
      withSchema(size, title, image, by),
      ['title | moved | fields keep their order', 'size | moved | fields keep their order'],
    ],
    [
      'another type',
      withSchema({ name: 'title', type: 'integer' }, size, image, by),
      ['title | type integer instead of string | values stay what they are'],
    ],
    [
      'a shorter text',
      withSchema({ ...title, length: 50 }, size, image, by),
      ['title | length 50 instead of 100 | values may be longer'],
    ],
    [
      'a field that must be there now',
      withSchema(title, size, image, { name: 'by', type: 'reference', target: 'people' }),
      ['by | required instead of optional | items may have no value'],
    ],
    [
      'another target',
      withSchema(title, size, image, { ...by, target: 'cats' }),
      ['by | target "cats" instead of "people" | values are ids of items of "people"'],
    ],
    [
      'another media type',
      withSchema(title, size, { ...image, mime: 'image/jpeg' }, by),
      ['image | media type image/jpeg instead of image/png | values may be of another media type'],
    ],
    [
      'a choice less',
      withSchema(title, { ...size, choices: ['S'] }, image, by),
      ['size | without the choices "M" | values may be among them'],
    ],
    [
      'a choice before others',
      withSchema(title, { ...size, choices: ['XS', 'S', 'M'] }, image, by),
      [
        'size | choices in the order "XS", "S", "M" | items are ordered by the places of the choices: leave them, and add others after',
      ],
    ],
    [
      'choices where there were none',
      withSchema({ ...title, choices: ['a'] }, size, image, by),
      ['title | choices "a" | values may be none of them'],
    ],
    [
      'no choices any more',
      withSchema(title, { name: 'size', type: 'string', length: 9 }, image, by),
      ['size | no choices | items are ordered by the places of the choices'],
    ],
  ])('is %s', (_, after, expected) => expect(said(after)).toEqual(expected))
})

const choices = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
const fields = fc
  .uniqueArray(fc.constantFrom('p', 'q', 'r', 's', 't'), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .record({
            optional: fc.constantFrom({}, { optional: true }),
            more: fc.oneof(
              fc.record({ type: fc.constant('string'), length: fc.integer({ min: 1, max: 30 }) }),
              fc.record({ type: fc.constant('string'), length: fc.constant(30), choices }),
              fc.record({
                type: fc.constant('binary'),
                mime: fc.constantFrom('image/png', 'IMAGE/PNG', 'image/*', 'text/plain', 'text/*'),
              }),
              fc.record({ type: fc.constantFrom('integer', 'number', 'date', 'json') }),
            ),
          })
          .map(({ optional, more }) => ({ name, ...more, ...optional })),
      ),
    ),
  )
const repos = fields.map((schema): RepoDescription => ({ name: 'r', schema: [...schema] }))

/** Widens what can be widened, by some of many ways, and adds fields at the end. */
const extended = (repo: RepoDescription) =>
  fc
    .record({
      added: fc.uniqueArray(fc.constantFrom('u', 'v', 'w'), { maxLength: 3 }),
      widen: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ added, widen }): RepoDescription => ({
      ...repo,
      schema: [
        ...repo.schema.map((field, index) => (widen[index] ? wider(field) : field)),
        ...added.map((name): SchemaField => ({ name, type: 'integer', optional: true })),
      ],
    }))

function wider(field: SchemaField): SchemaField {
  const optional = { ...field, optional: true }
  if (optional.type === 'binary') return { ...optional, mime: optional.mime.replace(/\/.*/, '/*') }
  if (optional.type !== 'string') return optional
  const longer = { ...optional, length: optional.length + 1 }
  return longer.choices === undefined ? longer : { ...longer, choices: [...longer.choices, 'z'] }
}

const isExtension = (from: RepoDescription, to: RepoDescription) =>
  compareRepos(from, to).every(({ reason }) => reason === undefined)

const canonical = (repo: RepoDescription): RepoDescription => {
  const checked = checkRepoDescription(repo)
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return checked.value
}

describe('comparison of generated descriptions', () => {
  test('there is no difference to the same one', () => {
    fc.assert(fc.property(repos, (repo) => compareRepos(repo, canonical(repo)).length === 0))
  })

  test('a schema with widened or added fields is an extension, and the reverse is not', () => {
    const pairs = repos.chain((repo) => fc.tuple(fc.constant(repo), extended(repo)))
    fc.assert(
      fc.property(pairs, ([from, written]) => {
        const to = canonical(written)
        expect(isExtension(from, to)).toBe(true)
        const spelling = (repo: RepoDescription) => JSON.stringify(repo).toLowerCase()
        if (spelling(from) !== spelling(to)) expect(isExtension(to, from)).toBe(false)
      }),
    )
  })

  test('extensions of extensions are extensions', () => {
    const triples = repos.chain((first) =>
      extended(first).chain((second) => fc.tuple(fc.constant(first), extended(canonical(second)))),
    )
    fc.assert(fc.property(triples, ([first, third]) => isExtension(first, third)))
  })

  test('two that extend each other differ in spelling only', () => {
    fc.assert(
      fc.property(repos, repos, (a, b) => {
        if (!isExtension(a, b) || !isExtension(b, a)) return
        expect(JSON.stringify(a).toLowerCase()).toBe(JSON.stringify(b).toLowerCase())
      }),
    )
  })
})
