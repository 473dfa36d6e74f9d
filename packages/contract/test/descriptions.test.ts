import { describe, expect, test } from 'vitest'
import {
  checkRepoDescription,
  checkViewDescription,
  inferViewFields,
  type SchemaField,
} from '../src/index.ts'

const photos = {
  name: 'photos',
  schema: [
    { name: 'title', type: 'string', length: 120 },
    { name: 'taken_by', type: 'reference', target: 'people' },
    { name: 'image', type: 'binary', mime: 'image/*' },
  ],
}

const reasons = (checked: ReturnType<typeof checkRepoDescription | typeof checkViewDescription>) =>
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
    ['no fields', { ...photos, schema: [] }, 'schema: must be at least 1 entries'],
    [
      'an unknown type',
      { ...photos, schema: [{ name: 'a', type: 'strng' }] },
      'schema.0.type: unknown type "strng"; did you mean "string"?',
    ],
    [
      'no type',
      { ...photos, schema: [{ name: 'a' }] },
      'schema.0.type: must be string or reference or binary',
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

describe('a view description', () => {
  const base = photos.schema as SchemaField[]

  test('comes back in canonical form', () => {
    const written = {
      fields: ['image', { from: 'title', name: 'caption' }],
      base: 'photos',
      name: 'v',
    }
    expect(JSON.stringify(checkViewDescription(written))).toBe(
      '{"ok":true,"value":{"name":"v","base":"photos","fields":[{"name":"image","from":"image"},{"name":"caption","from":"title"}]}}',
    )
  })

  test.each([
    [
      'an unknown key',
      { name: 'v', base: 'photos', feilds: [] },
      'feilds: unknown key "feilds"; did you mean "fields"?',
    ],
    [
      'a picked field twice',
      { name: 'v', base: 'b', fields: ['a', 'a'] },
      'fields.1: the field "a" is there twice',
    ],
    [
      'an unknown key of a field',
      { name: 'v', base: 'b', fields: [{ nme: 'a', from: 'b' }] },
      'fields.0.nme: unknown key "nme"; did you mean "name"?',
    ],
    [
      'no fields at all',
      { name: 'v', base: 'b', fields: [] },
      'fields: must be at least 1 entries',
    ],
  ])('is refused with %s', (_, written, reason) => {
    expect(reasons(checkViewDescription(written))).toContain(reason)
  })

  const fieldsOf = (fields: unknown) => {
    const checked = checkViewDescription({ name: 'v', base: 'photos', fields })
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
    return inferViewFields(checked.value, base)
  }

  test('shows every field of its base when it names none', () => {
    expect(inferViewFields({}, base)).toEqual({
      ok: true,
      value: base.map((field) => ({ field, from: field.name })),
    })
  })

  test('renames a field and keeps its type', () => {
    expect(fieldsOf([{ name: 'caption', from: 'title' }])).toEqual({
      ok: true,
      value: [{ field: { name: 'caption', type: 'string', length: 120 }, from: 'title' }],
    })
  })

  test('leaves out the fields of except', () => {
    const inferred = fieldsOf({ except: ['title', 'image'] })
    expect(inferred.ok && inferred.value.map(({ from }) => from)).toEqual(['taken_by'])
  })

  test('is refused when it names no field of its base', () => {
    expect(fieldsOf([{ name: 'caption', from: 'titel' }])).toEqual({
      ok: false,
      problems: [
        {
          path: ['fields', 0],
          reason: 'unknown field "titel"; did you mean "title"?',
          nearest: 'title',
        },
      ],
    })
  })

  test('is refused when it leaves no field', () => {
    expect(fieldsOf({ except: ['title', 'image', 'taken_by'] })).toEqual({
      ok: false,
      problems: [{ path: ['fields', 'except'], reason: 'leaves no field' }],
    })
  })
})
