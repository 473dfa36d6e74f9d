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

  test('of a reference is a positive whole number that a number can hold', () => {
    expect(checkEntry(owner, '1')).toBeUndefined()
    expect(checkEntry(owner, '9007199254740991')).toBeUndefined()
    for (const wrong of ['0', '-1', '1.5', '1e3', '007', ' 7', '9007199254740992']) {
      expect(checkEntry(owner, wrong)).toBe('An item number is a positive whole number')
    }
  })

  test('of a file has the type of the schema', () => {
    expect(checkEntry(image, file('image/png'))).toBeUndefined()
    expect(checkEntry({ ...image, mime: 'image/*' }, file('image/webp'))).toBeUndefined()
    expect(checkEntry(image, file('image/gif', 'a.gif'))).toBe(
      'The field takes image/png, and a.gif is image/gif',
    )
    expect(checkEntry(image, file(''))).toContain('does not know what type of file a.png is')
  })

  test('of a file is no larger than the server takes', () => {
    expect(checkEntry(image, file('image/png'), 1)).toBeUndefined()
    expect(checkEntry(image, file('image/png'), 0)).toBe(
      'The server takes files up to 0 bytes, and a.png has 1 byte',
    )
  })

  test('of a file of unknown type may be declared to be what the field takes', () => {
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
