// @module-tag engines

import { hash } from 'node:crypto'
import {
  fieldTypes,
  foldCase,
  foldSearch,
  limits,
  naturalKey,
  splitPoint,
  splitText,
  textOf,
} from '@vitrine/contract'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { anyText } from '../../contract/test/any-text.ts'
import { codePointWindows } from '../../contract/test/code-points.ts'
import { naturalTexts } from '../../contract/test/natural-texts.ts'
import {
  containsFolded,
  containsSearched,
  length,
  naturalKey as naturalKeySql,
  sortKey,
  positionPart,
  sortKeyEnd,
  sortKeyPart,
  splitPoint as splitPointSql,
  type Expression,
} from '../src/store/expressions.ts'
import { cellText } from '../src/store/cell-text.ts'
import { sharedStore } from './shared-store.ts'

const store = sharedStore()

async function evaluate<T>(expression: Expression): Promise<T> {
  const { rows } = await sql<{ value: T }>`select ${expression} as value`.execute(store().reads)
  return rows[0]!.value
}

const text = (value: string) => sql`cast(${value} as text)`

/** Types of cells as both engines know them. */
const sqlTypes = { text: sql`text`, integer: sql`bigint`, number: sql`double precision` }

test('a missing value has no text, whatever its type', async () => {
  for (const type of fieldTypes) {
    const cell = sqlTypes[textOf({ type })?.cell ?? 'text']
    const written = cellText(type, sql`cast(null as ${cell})`)
    expect(await evaluate(written), type).toBe(null)
  }
})

const characters = anyText({ maxLength: 40 })

test('the database folds every code point as the contract does', { tags: 'long' }, async () => {
  for (const codes of codePointWindows()) {
    const known = codes.filter((code) => code !== 0)
    const whole = known.map((code) => String.fromCodePoint(code)).join('')
    // Between marks, containing is equalling.
    const isSame = await evaluate(containsFolded(text(`<${whole}>`), `<${foldCase(whole)}>`))
    expect(Boolean(isSame), `from U+${codes[0]!.toString(16)}`).toBe(true)
  }
})

test(
  'the database folds every code point for search as the contract does',
  { tags: 'long' },
  async () => {
    for (const codes of codePointWindows()) {
      const known = codes.filter((code) => code !== 0)
      // Its Unicode may be older, and not know an order of marks side by side.
      for (const around of ['x', 'a\u0301']) {
        const whole = known.map((code) => `${String.fromCodePoint(code)}${around}`).join('')
        const folded = `<${foldSearch(whole)}>`
        const isSame = await evaluate(containsSearched(text(`<${whole}>`), folded))
        expect(Boolean(isSame), `from U+${codes[0]!.toString(16)}`).toBe(true)
      }
    }
  },
)

test(
  'the database folds every character that changes, in a text of few',
  { tags: 'long' },
  async () => {
    const wrong: string[] = []
    for (const codes of codePointWindows()) {
      const changing = codes
        .map((code) => String.fromCodePoint(code))
        .filter((each) => foldCase(each) !== each)
      for (const character of changing) {
        const around = text(`<Aé${character}>`)
        const [folded, searched] = [foldCase, foldSearch].map((fold) => fold(`<Aé${character}>`))
        const isSame =
          (await evaluate(containsFolded(around, folded!))) &&
          (await evaluate(containsSearched(around, searched!)))
        if (!isSame) wrong.push(character)
      }
    }
    expect(wrong).toEqual([])
  },
)

test('the database makes the natural keys of the contract', () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(naturalTexts, characters), async (whole) => {
      expect(await evaluate(naturalKeySql(text(whole)))).toBe(naturalKey(whole))
    }),
  ))

test('the database folds, counts and splits texts as the contract does', () =>
  fc.assert(
    fc.asyncProperty(
      characters,
      characters,
      fc.integer({ min: 1, max: limits.splitWeight }),
      async (a, b, total) => {
        const isSame = await evaluate(containsFolded(text(`<${a}>`), `<${foldCase(a)}>`))
        expect(Boolean(isSame)).toBe(true)
        expect(await evaluate(length(text(a)))).toBe(Array.from(a).length)
        const point = splitPoint(hash('sha256', splitText(b, a)), total)
        expect(await evaluate(splitPointSql(text(a), b, total))).toBe(point)
      },
    ),
  ))

// Tables of orders hold them: others would need `order_revision` to go up.
test.for([
  ['text', 'aé𝄞', false, '0061c3a9f09d849e00'],
  ['text', 'aé𝄞', true, '009e3c560f627b61ff'],
  ['text', '', false, '0000'],
  ['text', null, false, '01'],
  ['count', 1234, false, '00000000000004d2'],
  ['count', 1234, true, '001ffffffffffb2d'],
  ['integer', -5, false, '001ffffffffffffa'],
  ['integer', -5, true, '0020000000000004'],
  ['number', 1.5, false, '00bff8000000000000'],
  ['number', -1.5, false, '004007ffffffffffff'],
  ['number', 1.5, true, '004007ffffffffffff'],
  ['number', null, true, '01'],
] as const)(
  'the sort key of %s %s, descending: %s, is %s',
  async ([kind, value, descending, hex]) => {
    const cell =
      kind === 'text'
        ? sql`cast(${value} as text)`
        : kind === 'number'
          ? sql`cast(${value} as double precision)`
          : sql`cast(${value} as bigint)`
    const part = sortKeyPart(cell, { kind, descending, optional: true })
    const key = await evaluate<Uint8Array>(sortKey([part], positionPart(sql`258`)))
    expect(Buffer.from(key).toString('hex')).toBe(`${hex}000000000102`)
    const next = sortKeyEnd(sortKey([part], positionPart(sql`258`)), sql`7`, 12)
    const cut = `${hex}000000000102`
    expect(Buffer.from(await evaluate<Uint8Array>(sortKey([], next))).toString('hex')).toBe(
      cut.length <= 24 ? cut : `${cut.slice(0, 12)}000000000007`,
    )
  },
)

test.for([false, true])(
  'sort keys are in the order of texts and numbers, descending: %s',
  (descending) =>
    fc.assert(
      fc.asyncProperty(
        characters,
        characters,
        fc.nat(),
        fc.maxSafeNat(),
        async (a, b, small, large) => {
          const keyOf = (title: string, number: number) =>
            evaluate<Uint8Array>(
              sortKey(
                [
                  sortKeyPart(text(title), { kind: 'text', descending, optional: true }),
                  sortKeyPart(sql`cast(${number} as bigint)`, {
                    kind: 'count',
                    descending,
                    optional: false,
                  }),
                ],
                positionPart(sql`0`),
              ),
            )
          const sign = descending ? -1 : 1
          const byText = Buffer.compare(Buffer.from(a), Buffer.from(b)) * sign
          expect(Buffer.compare(await keyOf(a, small), await keyOf(b, small))).toBe(byText + 0)
          const byNumber = Math.sign(small - large) * sign
          expect(Buffer.compare(await keyOf(a, small), await keyOf(a, large))).toBe(byNumber + 0)
        },
      ),
    ),
)
