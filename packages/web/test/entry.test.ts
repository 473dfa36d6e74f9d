import type { ShownField } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { checkEntry, declarableType } from '../src/values/entry.ts'
import { newValues, problemsByField } from '../src/pages/AddItem/new-values.ts'

const title: ShownField = { name: 'title', type: 'string', length: 5 }
const owner: ShownField = { name: 'owner', type: 'reference', target: 'people' }
const image: ShownField = { name: 'image', type: 'binary', mime: 'image/png' }
const future: ShownField = { name: 'when', type: 'moment' }

const file = (type: string, name = 'a.png') => new File(['x'], name, { type })

describe('an entry', () => {
  test('may be missing only where the field is optional or unknown', () => {
    for (const field of [title, owner, image]) {
      expect(checkEntry(field, '')).toBe('This field is required')
      expect(checkEntry(field, undefined)).toBe('This field is required')
      expect(checkEntry({ ...field, optional: true }, undefined)).toBeUndefined()
    }
    expect(checkEntry(future, undefined)).toBeUndefined()
  })

  test('of text is measured in code points', () => {
    expect(checkEntry(title, '😀😀😀😀😀')).toBeUndefined()
    expect(checkEntry(title, '😀😀😀😀😀a')).toBe('At most 5 characters fit, and there are 6')
    expect(checkEntry({ name: 'any', type: 'string' }, 'x'.repeat(99_999))).toBeUndefined()
  })

  test('of a reference must be a positive safe integer', () => {
    expect(checkEntry(owner, '1')).toBeUndefined()
    expect(checkEntry(owner, '9007199254740991')).toBeUndefined()
    for (const wrong of ['0', '-1', '1.5', '1e3', '007', ' 7', '9007199254740992']) {
      expect(checkEntry(owner, wrong)).toBe('An item number is a positive whole number')
    }
    expect(checkEntry(owner, 'Ulm')).toBe('Choose an item of the list, or type its id')
  })

  test('of any other type is read as imports read it, and sent as canonical text', () => {
    const kept: [field: Omit<ShownField, 'name'>, typed: string, sent: string][] = [
      [{ type: 'string', length: 9, choices: ['a', 'b'] }, 'b', 'b'],
      [{ type: 'integer' }, ' +007 ', '7'],
      [{ type: 'number' }, '-1.50', '-1.5'],
      [{ type: 'boolean' }, 'true', 'true'],
      [{ type: 'date' }, '2026-11-22', '2026-11-22'],
      [{ type: 'timestamp' }, '2026-11-22 15:04+01:00', '2026-11-22T14:04:00Z'],
      [{ type: 'json' }, '{ "b": 1.0, "a": "x" }', '{"a":"x","b":1}'],
      [{ type: 'json' }, '"text"', '"text"'],
    ]
    for (const [field, typed, sent] of kept) {
      const named = { name: 'x', ...field }
      expect(checkEntry(named, typed)).toBeUndefined()
      expect(newValues([named], { x: typed })).toEqual({ x: sent })
      expect(newValues([named], { x: '' })).toEqual({})
      expect(checkEntry(named, '')).toBe('This field is required')
    }
  })

  test('that does not fit the type of its field is refused with what it must be', () => {
    const reason = (field: Omit<ShownField, 'name'>, typed: string) =>
      checkEntry({ name: 'x', ...field }, typed)
    expect(reason({ type: 'string', length: 9, choices: ['a', 'b'] }, 'c')).toMatch(
      /^Must be one of .*a.*b/,
    )
    expect(reason({ type: 'integer' }, '1.5')).toMatch(/^Must be a whole number/)
    expect(reason({ type: 'number' }, '1,5')).toMatch(/^Must be a finite number/)
    expect(reason({ type: 'date' }, '2026-02-30')).toMatch(/^Must be/)
    expect(reason({ type: 'timestamp' }, 'now')).toMatch(/^Must be a moment/)
    expect(reason({ type: 'json' }, '{')).toBe(
      'Must be JSON: a key in double quotes or } is expected at the end',
    )
    expect(reason({ type: 'json' }, 'null')).toMatch(/^Must not be null/)
  })

  test('of a file must have the media type of the field', () => {
    expect(checkEntry(image, file('image/png'))).toBeUndefined()
    expect(checkEntry({ ...image, mime: 'image/*' }, file('image/webp'))).toBeUndefined()
    expect(checkEntry(image, file('image/gif', 'a.gif'))).toBe(
      'The field takes image/png, and a.gif is image/gif',
    )
    expect(checkEntry(image, file(''))).toContain('does not know what type of file a.png is')
  })

  test('of a file must not exceed the size limit of the server', () => {
    expect(checkEntry(image, file('image/png'), 1)).toBeUndefined()
    expect(checkEntry(image, file('image/png'), 0)).toBe(
      'The server takes files up to 0 bytes, and a.png has 1 byte',
    )
  })

  test('of a file of unknown type may be declared to have the media type of the field', () => {
    const bytes = { ...image, mime: 'application/octet-stream' }
    expect(declarableType(image, file(''))).toBe('image/png')
    expect(declarableType(image, file('image/gif'))).toBeUndefined()
    expect(declarableType({ ...image, mime: 'image/*' }, file(''))).toBeUndefined()
    expect(declarableType(bytes, file('image/gif'))).toBe('application/octet-stream')
    expect(declarableType(image, file('image/png'))).toBeUndefined()
  })
})

test('values are sent as typed; what is empty is left out', () => {
  const png = file('image/png')
  const schema = [title, owner, image, { ...title, name: 'notes', optional: true }, future]
  expect(newValues(schema, { title: ' a\n ', owner: '7', image: png, notes: '' })).toEqual({
    title: ' a\n ',
    owner: 7,
    image: png,
  })
})

test('problems are put at the fields that they name', () => {
  const problems = [
    { path: ['title'], reason: 'must not be empty' },
    { path: ['integrity', 'image', 'sha256'], reason: 'differs' },
    { path: [], reason: 'concerns no field' },
  ]
  expect(problemsByField([title, image], problems)).toEqual({
    title: 'Must not be empty',
    image: 'Differs',
  })
})
