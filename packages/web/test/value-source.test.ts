import { expect, test } from 'vitest'
import { fileFieldOf, usualSources, valuesOf } from '../src/files/value-source.ts'

const schema = [
  { name: 'title', type: 'string', length: 12 },
  { name: 'album', type: 'string', optional: true },
  { name: 'taken_by', type: 'reference', target: 'people' },
  { name: 'image', type: 'binary', mime: 'image/png' },
]
const file = new File(['x'], 'wren.of.1890.png', { type: 'image/png' })
const wren = { file, path: 'birds/small/wren.of.1890.png' }

test('a repository with one binary field takes files', () => {
  expect(fileFieldOf(schema)?.name).toBe('image')
  expect(fileFieldOf(schema.slice(0, 2))).toBeUndefined()
  expect(fileFieldOf([...schema, { name: 'raw', type: 'binary' }])).toBeUndefined()
})

test('values come from the file and from what is the same for all', () => {
  const sources = { ...usualSources(schema), taken_by: { from: 'same', text: '17' } as const }
  expect(valuesOf(wren, schema, { sources, maxBytes: undefined })).toEqual({
    values: { title: 'wren.of.1890', taken_by: 17, image: file },
  })
  const values = (from: 'name' | 'folder' | 'path') => {
    const made = valuesOf(wren, schema, {
      sources: { ...sources, title: { from: 'none' }, album: { from } },
      maxBytes: undefined,
    })
    return 'values' in made ? made.values['album'] : made.problem
  }
  expect(values('folder')).toBe('title: This field is required')
  const named = valuesOf(wren, schema, {
    sources: { ...sources, album: { from: 'folder' } },
    maxBytes: undefined,
  })
  expect(named).toMatchObject({ values: { album: 'small' } })
})

test('a file that cannot be an item says why', () => {
  const sources = { ...usualSources(schema), taken_by: { from: 'same', text: '17' } as const }
  const problem = (path: string, type: string, maxBytes?: number) => {
    const made = valuesOf({ path, file: new File(['xy'], 'a', { type }) }, schema, {
      sources,
      maxBytes,
    })
    return 'problem' in made ? made.problem : undefined
  }
  expect(problem('a.gif', 'image/gif')).toBe('The field takes image/png, and a is image/gif')
  expect(problem('a.png', 'image/png', 1)).toMatch(/up to 1 byte/)
  expect(problem('a-name-of-many-letters.png', 'image/png')).toMatch(/^title: At most 12/)
  expect(problem('.png', 'image/png')).toBeUndefined()
})

test('any file is taken as octets by a field of octets', () => {
  const schema = [{ name: 'file', type: 'binary', mime: 'application/octet-stream' }]
  const options = { sources: {}, maxBytes: undefined }
  for (const type of ['text/csv', '', 'application/octet-stream']) {
    const made = valuesOf({ path: 'a', file: new File(['xy'], 'a', { type }) }, schema, options)
    expect(made).toMatchObject({ values: { file: { type: 'application/octet-stream', size: 2 } } })
  }
})
