import { hash } from 'node:crypto'
import type { SchemaField } from '@vitrine/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckedRow } from '../src/imports/rows/check-rows.ts'
import { RowPacker, unpackRows } from '../src/imports/rows/packed-rows.ts'
import { laneBytesMax } from '@vitrine/sha256-lanes'
import { digestBytes } from '../src/store/digest-bytes.ts'
import { sealOf } from '../src/store/leaf.ts'

const schema: SchemaField[] = [
  { name: 'title', type: 'string', length: 1000 },
  { name: 'image', type: 'binary', mime: 'image/*', optional: true },
  { name: 'maker', type: 'reference', target: 'people', optional: true },
  { name: 'notes', type: 'string', length: 1000, optional: true },
]
const sha256 = 'a'.repeat(64)

const digestOf = (value: CheckedRow[number]) =>
  value === null
    ? '0'.repeat(2 * digestBytes)
    : hash('sha256', String(typeof value === 'object' ? value.text : value))

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The seal of a row, value by value. */
function sealOfRow([title, image, mime, , maker, notes]: CheckedRow): string {
  const texts = Object.entries({ title, maker, notes }).filter(([, value]) => value !== null)
  const values = texts.map(([field, value]) => ({ field, sha256: digestOf(value!) }))
  const held = { field: 'image', sha256: image as string, mime: mime as string }
  return sealOf(image === null ? values : [...values, held])
}

type UnpackedRow = { digests: string; seal: string; cells: unknown[] }

function unpack(packed: Uint8Array<ArrayBuffer>): UnpackedRow[][] {
  return [...unpackRows(packed)].map(({ count, digests, rows, seals }) => {
    const each = digests.length / count
    const lists = JSON.parse(Buffer.from(rows).toString()) as unknown[][]
    expect(lists).toHaveLength(count)
    return lists.map((cells, index) => {
      const own = digests.subarray(index * each, (index + 1) * each)
      const seal = seals!.subarray(index * digestBytes, (index + 1) * digestBytes)
      return { digests: hexOf(own), seal: hexOf(seal), cells }
    })
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
      const expected = rows.map((cells) => {
        const digests = [cells[0]!, cells[4]!, cells[5]!].map(digestOf).join('')
        return { digests, seal: sealOfRow(cells), cells }
      })
      expect(unpack(packer.take()).flat()).toEqual(expected)
    }),
  )
})

const correction = fc.option(
  fc.record(
    {
      replaces: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      withdraws: fc.boolean(),
      reason: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    },
    { requiredKeys: ['replaces', 'withdraws'] },
  ),
  { nil: undefined, freq: 2 },
)

test('packed rows correct what they did, with the reasons that they had', () => {
  const packer = new RowPacker(schema)
  fc.assert(
    fc.property(fc.array(fc.tuple(row, correction), { maxLength: 30 }), (rows) => {
      for (const [cells, each] of rows) packer.add(cells, each)
      const lists = [...unpackRows(packer.take())]
      const corrections = lists.flatMap(({ count, corrections: some }) =>
        some === undefined ? Array.from({ length: count }, () => undefined) : [...some],
      )
      expect(corrections).toEqual(rows.map(([, each]) => each))
    }),
  )
})

test('texts of every length have their sha256', () => {
  const packer = new RowPacker([{ name: 'title', type: 'string', length: 1000 }])
  const texts = Array.from({ length: 3 * laneBytesMax }, (_, length) => 'x'.repeat(length))
  for (const each of texts) packer.add([each])
  const [list] = unpack(packer.take())
  expect(list).toMatchObject(
    texts.map((each) => ({ digests: hash('sha256', each), cells: [each] })),
  )
})

test('many rows are lists of 500, and of the rest', () => {
  const packer = new RowPacker([{ name: 'number', type: 'string', length: 10 }])
  for (let number = 0; number < 1234; number += 1) packer.add([String(number)])
  const lists = unpack(packer.take())
  expect(lists.map((list) => list.length)).toEqual([500, 500, 234])
  expect(lists.flat()).toMatchObject(
    Array.from({ length: 1234 }, (_, number) => {
      return { digests: hash('sha256', String(number)), cells: [String(number)] }
    }),
  )
})
