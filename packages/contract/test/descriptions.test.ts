import { describe, expect, test } from 'vitest'
import { checkRepoDescription } from '../src/index.ts'

const photos = {
  name: 'photos',
  schema: [
    { name: 'title', type: 'string', length: 120 },
    { name: 'taken_by', type: 'reference', target: 'people' },
    { name: 'image', type: 'binary', mime: 'image/*' },
  ],
}

const reasons = (checked: ReturnType<typeof checkRepoDescription>) =>
  checked.ok ? [] : checked.problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`)

describe('a repository description', () => {
  test('comes back in canonical form', () => {
    const written = {
      schema: [
        { optional: false, length: 5, type: 'string', name: 'title' },
        { type: 'string', name: 'notes', optional: true },
      ],
      name: 'photos',
    }
    expect(JSON.stringify(checkRepoDescription(written))).toBe(
      '{"ok":true,"value":{"name":"photos","schema":[{"name":"title","type":"string","length":5},{"name":"notes","type":"string","length":10000,"optional":true}]}}',
    )
  })

  test.each([
    ['no mapping', null, ': must be a mapping, not empty'],
    ['a list', [], ': must be a mapping, not a list'],
    ['no name', { schema: photos.schema }, 'name: is required'],
    [
      'an unknown key',
      { ...photos, shema: [] },
      'shema: unknown key "shema"; did you mean "schema"?',
    ],
    ['no fields', { ...photos, schema: [] }, 'schema: must have at least 1 entry'],
    [
      'too many fields',
      {
        ...photos,
        schema: Array.from({ length: 201 }, (_, n) => ({ name: `f${n}`, type: 'string' })),
      },
      'schema: must have at most 200 entries',
    ],
    [
      'an unknown type',
      { ...photos, schema: [{ name: 'a', type: 'strng' }] },
      'schema.0.type: unknown type "strng"; did you mean "string"?',
    ],
    [
      'no type',
      { ...photos, schema: [{ name: 'a' }] },
      'schema.0.type: must be one of string, integer, number, boolean, date, timestamp, duration, url, json, reference, binary',
    ],
    [
      'a key of another type',
      { ...photos, schema: [{ name: 'a', type: 'string', mime: 'image/png' }] },
      'schema.0.mime: unknown key "mime"',
    ],
    [
      'a length that is no number',
      { ...photos, schema: [{ name: 'a', type: 'string', length: '9' }] },
      'schema.0.length: must be a number, not text',
    ],
    [
      'a field twice',
      { ...photos, schema: [photos.schema[0], photos.schema[0]] },
      'schema.1.name: the field "title" is there twice',
    ],
    [
      'a bad media type',
      { ...photos, schema: [{ name: 'a', type: 'binary', mime: 'image' }] },
      'schema.0.mime: must be a media type such as image/png or image/*',
    ],
    [
      'a reserved field name',
      { ...photos, schema: [{ name: 'id', type: 'string' }] },
      'schema.0.name: is a reserved name',
    ],
  ])('is refused with %s', (_, written, reason) => {
    expect(reasons(checkRepoDescription(written))).toContain(reason)
  })

  test.each(['../x', '__proto__', 'a"b', '😀', '', '.hidden', 'a/b', 'x'.repeat(129), 'a b'])(
    'is refused with the name %j',
    (name) => {
      expect(reasons(checkRepoDescription({ ...photos, name }))).toEqual([
        'name: must be 1 to 128 letters, digits, dots, underscores or hyphens, beginning with a letter or digit',
      ])
    },
  )
})
