// @module-tag engines

import { castFields, castTypes, plainText, readCast, textOf, type Json } from '@vitrine/contract'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { castTexts, tellingTexts } from '../../contract/test/cast-texts.ts'
import { castText, plainJson, type Expression } from '../src/store/expressions.ts'
import { sharedStore } from './shared-store.ts'

const store = sharedStore()

async function evaluate<T>(expression: Expression): Promise<T> {
  const { rows } = await sql<{ value: T }>`select ${expression} as value`.execute(store().reads)
  return rows[0]!.value
}

const text = (value: string) => sql`cast(${value} as text)`

test('the database casts texts as the contract does', async () => {
  const expectSame = async (whole: string) => {
    for (const type of castTypes) {
      const field = castFields[type]
      const value = readCast(field, whole)
      const cell = value === undefined ? null : textOf(field)!.toCell(value)
      expect([type, whole, await evaluate(castText(text(whole), type))]).toEqual([
        type,
        whole,
        cell,
      ])
    }
  }
  for (const whole of tellingTexts) await expectSame(whole)
  await fc.assert(fc.asyncProperty(castTexts, expectSame), { numRuns: 300 })
})

test('the database writes JSON that is text without its quotes', async () => {
  const values: Json[] = ['', 'a', '"', '\\u0000', 'ß\n', '😀', 5, true, {}, ['\0'], { a: '\0' }]
  for (const value of values) {
    const json = JSON.stringify(value)
    expect(await evaluate(plainJson(text(json)))).toBe(plainText(value))
  }
  expect(await evaluate(plainJson(text('"a\\u0000"')))).toBe(null)
})
