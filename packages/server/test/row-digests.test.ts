// @module-tag engines

import { hash } from 'node:crypto'
import { canonicalText, textOf } from '@vitrine/contract'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { anyText } from '../../contract/test/any-text.ts'
import { plainTypes, plainValues } from '../../contract/test/value-arbitraries.ts'
import { cellText } from '../src/store/cell-text.ts'
import { bytes } from '../src/store/engine-sql.ts'
import type { Expression } from '../src/store/expressions.ts'
import { brokenDigest, digestIn, isPadded, toChecks } from '../src/store/row-digests.ts'
import { sharedStore } from './shared-store.ts'

const store = sharedStore()

const sha256 = (value: string) => hash('sha256', value)
const none = '0'.repeat(64)
const digestsOf = (values: readonly (string | null)[]) =>
  Buffer.from(values.map((value) => (value === null ? none : sha256(value))).join(''), 'hex')

const cellTypes = { text: sql`text`, integer: sql`bigint`, number: sql`double precision` }
const text = (value: string | null) => sql`cast(${value} as text)`
const bytesOf = (value: Uint8Array) => sql`cast(${value} as ${bytes})`

async function evaluate(expressions: readonly Expression[]): Promise<unknown[]> {
  const columns = expressions.map((each, at) => sql`${each} as ${sql.ref(`v${at}`)}`)
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(columns)}`.execute(
    store().reads,
  )
  return columns.map((_, at) => rows[0]![`v${at}`])
}

test('the database computes the digest of a value of any type as its text has it', async () => {
  const types = ['string', ...plainTypes] as const
  const values = fc.tuple(
    anyText({ maxLength: 60 }).filter((each) => !each.includes('\0')),
    ...plainTypes.map((type) => plainValues[type] as fc.Arbitrary<never>),
  )
  await fc.assert(
    fc.asyncProperty(values, async (drawn) => {
      const texts = drawn.map((value, at) => canonicalText({ type: types[at]! }, value))
      const checks = bytesOf(toChecks(digestsOf(texts)))
      const digests = types.map((type, at) => {
        const { cell, toCell } = textOf({ type })!
        const stored = sql`cast(${toCell(drawn[at] as never)} as ${cellTypes[cell]})`
        return digestIn(checks, 32 * at, cellText(type, stored))
      })
      expect(await evaluate(digests)).toEqual(texts.map(sha256))
    }),
    { numRuns: 60 },
  )
})

// Of an item, and of one from before there were checks.
test.each([
  ['checks', toChecks],
  ['digests', (digests: Uint8Array) => digests],
])('a value that was altered is named by %s', async (_, kept) => {
  const digests = kept(digestsOf(['one', null, '00000000']))
  const now = [
    ['one', undefined],
    ['other', sha256('one')],
    [null, sha256('one')],
  ] as const
  for (const [value, sealed] of now) {
    const broken = brokenDigest(digests, 0, value)
    expect(broken?.slice(0, 8)).toBe(sealed?.slice(0, 8))
    const [shown] = await evaluate([digestIn(bytesOf(digests), 0, text(value))])
    expect(String(shown).slice(0, 8)).toBe(sha256('one').slice(0, 8))
    if (digests.length === 13) expect(isPadded(String(shown))).toBe(sealed !== undefined)
  }
  // One that is absent, and one of a field that came later.
  for (const at of [32, 96]) {
    expect(brokenDigest(digests, at, null)).toBeUndefined()
    expect(brokenDigest(digests, at, 'more')).toBe(none)
    const [absent, altered] = await evaluate(
      [null, 'more'].map((value) => digestIn(bytesOf(digests), at, text(value))),
    )
    expect([null, '', none]).toContain(absent)
    expect(['', none]).toContain(altered)
  }
})

test('checks of several rows stand one after the other, those of a row behind their length', () => {
  const rows = [
    ['a', 'b'],
    ['c', null],
  ]
  const checks = toChecks(digestsOf(rows.flat()), { rows: 2 })
  const expected = [sha256('a'), sha256('b'), sha256('c'), none].map((each) => each.slice(0, 8))
  expect(Buffer.from(checks).toString('hex')).toBe(
    `04${expected[0]}${expected[1]}04${expected[2]}${expected[3]}`,
  )
  expect(toChecks(new Uint8Array(), { rows: 3 })).toHaveLength(0)
})
