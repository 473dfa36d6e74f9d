import { checkRepoDescription, checkView, type SchemaField } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { checkParsed, parseDescription } from '../src/parse-description.ts'

const refusals = (text: string) => {
  const parsed = parseDescription(text)
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, column, reason }) => `${line}:${column} ${reason}`)
}

describe('YAML that could mean more than it shows is refused', () => {
  test.each([
    ['nothing', '---', '1:1 the description is empty'],
    ['duplicate keys', 'a: 1\na: 2', '2:1 Map keys must be unique'],
    ['an anchor', 'a: &x 1', '1:7 anchors are not allowed'],
    ['an alias', 'a: *x', '1:4 aliases are not allowed'],
    ['a tag', 'a: !!binary aGk=', '1:13 tags are not allowed'],
    ['a key that is a list', '? [a]\n: 1', '1:3 a key must be text'],
    ['a second document', 'a: 1\n---\nb: 2', '2:1 there is more than one document'],
    [
      'a number that would be rounded',
      'a: 12345678901234567890',
      '1:4 the number cannot be kept exactly',
    ],
    [
      '33 levels',
      `${'['.repeat(33)}${']'.repeat(33)}`,
      '1:33 a description nests at most 32 levels',
    ],
  ])('%s', (_, text, refusal) => {
    expect(refusals(text)).toContain(refusal)
  })

  test('20,000 levels', () => {
    expect(refusals('['.repeat(20_000))[0]).toMatch(/a description nests at most 32 levels$/)
    expect(refusals('- '.repeat(20_000))[0]).toMatch(/a description nests at most 32 levels$/)
  })

  test('1 MB', () => {
    expect(refusals(`a: ${'x'.repeat(1_000_000)}`)).toEqual([
      '1:1 a description is at most 163840 bytes, not 1000003',
    ])
  })
})

describe('a colon or a special space that breaks YAML is refused with advice', () => {
  const space = 'looks like a space and is none in YAML: write a space'
  test.each([
    [
      'a colon in a text',
      'name: Cats: a study',
      '1:7 a text with a colon before a space has to stand in quotes',
    ],
    [
      'a no-break space after a colon',
      'name:\u00a0cats\nkind: x\n',
      `1:6 the character U+00A0 ${space}`,
    ],
    ['as indentation', 'a:\n  - b\n\u3000\u3000- c\n', `3:1 the character U+3000 ${space}`],
    [
      'as indentation of a key',
      'schema:\n\u00a0\u00a0name: a\n',
      `2:1 the character U+00A0 ${space}`,
    ],
    ['after a dash', 'a:\n  -\u00a0b: c\n', `2:4 the character U+00A0 ${space}`],
    ['in braces', 'a: { name:\u202fb, c: d }', `1:11 the character U+202F ${space}`],
  ])('%s', (_, text, refusal) => {
    expect(refusals(text)[0]).toBe(refusal)
  })

  test('a no-break space elsewhere is not blamed', () => {
    const text = 'about: "a:\u00a0b"\nkind: x\nname: "cats'
    expect(refusals(text)[0]).toBe('3:12 Missing closing "quote')
  })

  test('a no-break space within a text is part of it', () => {
    expect(refusals('about: 10\u00a0km: far')[0]).toMatch(/a colon before a space/)
    const parsed = parseDescription('about: 10\u00a0km\n"a:\u00a0b": 1')
    expect(parsed.ok && parsed.value).toEqual({ about: '10\u00a0km', 'a:\u00a0b': 1 })
  })
})

test('32 levels are parsed', () => {
  expect(parseDescription(`${'['.repeat(32)}${']'.repeat(32)}`).ok).toBe(true)
})

test('a problem is placed where it stands in the text', () => {
  const text = [
    '---',
    'nam: photos',
    'schema:',
    '  - { name: title, type: strng }',
    '  - name: image',
    '    type: binary',
    '    mim: image/png',
  ].join('\n')
  const checked = checkParsed(text, checkRepoDescription)
  const places = checked.ok
    ? []
    : checked.problems.map(({ path, line, column, from, to }) => [
        path.join('.'),
        `${line}:${column}`,
        text.slice(from, to),
      ])
  expect(places).toContainEqual(['nam', '2:1', 'nam'])
  expect(places).toContainEqual(['schema.0.type', '4:26', 'strng'])
  expect(places).toContainEqual(['schema.1.mim', '7:5', 'mim'])
})

test('a problem with a view is placed at the key or at the value that is wrong', () => {
  const schema: SchemaField[] = [
    { name: 'title', type: 'string', length: 9 },
    { name: 'image', type: 'binary', mime: 'image/png' },
  ]
  const text = [
    '---',
    'name: v',
    'base: photos',
    'where:',
    '  titel: { eq: cat }',
    '  any:',
    '    - title: { eqals: cat }',
    '    - title: { length: { gte: -1 } }',
    '    - image: { contains: cat }',
    'split: { by: imag, parts: { a: 1 }, take: b }',
    'order: -titel',
    'fields: [imge, { name: a, from: title.x }]',
  ].join('\n')
  const checked = checkParsed(text, (input) => checkView(input, () => schema))
  const places = checked.ok
    ? []
    : checked.problems.map(
        ({ line, column, from, to }) => `${line}:${column} ${text.slice(from, to)}`,
      )
  expect(places).toEqual([
    '5:3 titel',
    '7:16 eqals',
    '8:31 -1',
    '9:16 contains',
    '10:14 imag',
    '10:43 b',
    '11:8 -titel',
    '12:10 imge',
    '12:33 title.x',
  ])
})

test.each([
  ['017', '"017"'],
  ['1.50', '"1.50"'],
  ['9', '"9"'],
])('a number that is meant as text is quoted as it is written: %s', (written, quoted) => {
  const parsed = parseDescription(`where: { title: { icontains: ${written} } }`)
  if (!parsed.ok) throw new Error('it parses')
  const path = ['where', 'title', 'icontains']
  const reason = `in quotes it is text: "${Number(written)}"`
  expect(parsed.place({ path, reason }).reason).toBe(`in quotes it is text: ${quoted}`)
})
