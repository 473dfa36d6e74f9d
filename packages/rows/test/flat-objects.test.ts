import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { FlatObjects } from '../src/text/flat-objects.ts'
import { parseJsonRow } from '../src/text/parse-json-row.ts'

type Member = [key: string, value: unknown]

const flat = new FlatObjects<Member[], string>(
  (key) => key.toUpperCase(),
  (members, key, about, value) => {
    expect(about).toBe(key.toUpperCase())
    members.push([key, value])
  },
)

/** The members of an object, where it is one that is read so; the text has lines around it. */
function read(text: string): Member[] | undefined {
  const members: Member[] = []
  const around = `{"a":1}\n${text}\n{"b":2}`
  const from = around.indexOf('\n') + 1
  return flat.read(members, around, from, from + text.length) ? members : undefined
}

const key = fc.oneof(
  fc.constantFrom('name', 'population', 'of the country', 'Straße', '__proto__', ''),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const space = fc.constantFrom('', '', ' ', '\t', ' \r')
const written = fc
  .tuple(fc.array(fc.tuple(key, scalar, space, space), { maxLength: 6 }), space, space)
  .map(([members, before, after]) => {
    const inside = members
      .map(([name, value, left, right]) => {
        return `${left}${JSON.stringify(name)}${right}:${left}${JSON.stringify(value)}${right}`
      })
      .join(',')
    return `${before}{${inside}}${after}`
  })

test('members are those of the general JSON reader, in the same order', { tags: 'long' }, () => {
  let readSo = 0
  fc.assert(
    fc.property(written, (text) => {
      const members = read(text)
      if (members === undefined) return
      readSo += 1
      expect(members).toEqual(Object.entries(parseJsonRow(text) as object))
    }),
    { numRuns: 2000 },
  )
  expect(readSo).toBeGreaterThan(500)
})

test(
  'a text that is cut, changed or goes on is read only where it is JSON still',
  { tags: 'long' },
  () => {
    const change = fc.record({
      text: written,
      at: fc.nat(200),
      remove: fc.nat(3),
      add: fc.constantFrom(
        '',
        '"',
        ',',
        ':',
        '{',
        '}',
        '[]',
        '0',
        '-',
        '.5',
        'e',
        'null',
        '\\',
        'x',
        '\u0001',
      ),
    })
    fc.assert(
      fc.property(change, ({ text, at, remove, add }) => {
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + add + text.slice(place + remove)
        // As is all that was UTF-8.
        fc.pre(changed.isWellFormed())
        const members = read(changed)
        if (members !== undefined) {
          expect(members).toEqual(Object.entries(parseJsonRow(changed) as object))
        }
      }),
      { numRuns: 5000 },
    )
  },
)

test.each([
  ['{"name":"a","population":1.50,"flag":true,"gone":null}', true],
  ['{"name": "a", "population": -0}\r', true],
  ['{}', true],
  ['{"name":"a","name":"b"}', false],
  ['{"2":"a"}', false],
  ['{"name":"a\\n"}', false],
  ['{"n\\u0061me":"a"}', false],
  ['{"name":{}}', false],
  ['{"name":[]}', false],
  ['{"name":01}', false],
  ['{"name":nul}', false],
  ['{"name":"a"} {}', false],
  ['{"name":"a",}', false],
  ['{"name":"a"', false],
  ['["name"]', false],
  ['', false],
])('%s is read so: %s', (text, isRead) => {
  expect(read(text) !== undefined).toBe(isRead)
})
