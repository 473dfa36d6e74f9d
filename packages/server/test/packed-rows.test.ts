import { hash } from 'node:crypto'
import type { SchemaField } from '@vitrine/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckedRow } from '../src/imports/rows/check-rows.ts'
import { RowPacker, unpackRows } from '../src/imports/rows/packed-rows.ts'
import { laneBytesMax } from '../src/imports/rows/sha256-lanes.ts'
import { noDigest } from '../src/store/no-digest.ts'

const schema: SchemaField[] = [
  { name: 'title', type: 'string', length: 1000 },
  { name: 'image', type: 'binary', mime: 'image/*', optional: true },
  { name: 'maker', type: 'reference', target: 'people', optional: true },
  { name: 'notes', type: 'string', length: 1000, optional: true },
]
const sha256 = 'a'.repeat(64)

const digestOf = (value: string | number | null) =>
  value === null ? noDigest : hash('sha256', String(value))

function unpack(packed: Uint8Array<ArrayBuffer>): { count: number; rows: unknown[][] }[] {
  return [...unpackRows(packed)].map(({ count, rows }) => {
    return { count, rows: JSON.parse(Buffer.from(rows).toString()) as unknown[][] }
  })
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 2 * laneBytesMax }),
)
const row = fc
  .record({
    title: text,
    image: fc.constantFrom([null, null, null], [sha256, 'image/png', 7]),
    maker: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    notes: fc.option(text),
  })
  .map(({ title, image, maker, notes }): CheckedRow => [title, ...image, maker, notes])

test('packed rows are what they were, with the sha256 of each text and number', () => {
  const packer = new RowPacker(schema)
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
      for (const cells of rows) packer.add(cells)
      const expected = rows.map((cells) => [
        [cells[0]!, cells[4]!, cells[5]!].map(digestOf).join(''),
        ...cells,
      ])
      expect(unpack(packer.take()).flatMap((list) => list.rows)).toEqual(expected)
    }),
  )
})

test('texts of every length have their sha256', () => {
  const packer = new RowPacker([{ name: 'title', type: 'string', length: 1000 }])
  const texts = Array.from({ length: 3 * laneBytesMax }, (_, length) => 'x'.repeat(length))
  for (const each of texts) packer.add([each])
  const [list] = unpack(packer.take())
  expect(list?.rows).toEqual(texts.map((each) => [hash('sha256', each), each]))
})

test('many rows are lists that say how many they have', () => {
  const packer = new RowPacker([{ name: 'number', type: 'string', length: 10 }])
  for (let number = 0; number < 1234; number += 1) packer.add([String(number)])
  const lists = unpack(packer.take())
  expect(lists.map(({ count }) => count)).toEqual([500, 500, 234])
  expect(lists.flatMap(({ rows }) => rows.map(([, value]) => Number(value)))).toEqual(
    Array.from({ length: 1234 }, (_, number) => number),
  )
})
