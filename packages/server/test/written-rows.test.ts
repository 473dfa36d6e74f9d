import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { writeRecord } from '@vitrine/rows/text/delimited-record'
import { parseRowLists, type RowLists, toRowLists } from '@vitrine/rows/write/row-lists'
import type { WrittenColumn } from '@vitrine/rows/write/row-writer'
import { byRows } from '@vitrine/rows/write/row-lists'
import { writeDelimited } from '@vitrine/rows/write/write-delimited'
import { writeNdjson } from '@vitrine/rows/write/write-ndjson'
import { cellColumns, joinedCells, type JoinedCells } from '../src/store/expressions.ts'
import type { Cell } from '../src/store/item-rows.ts'
import { awkwardText } from './awkward-text.ts'
import { readInWindows } from '../src/reading/snapshot.ts'
import { sharedStore } from './shared-store.ts'

const store = sharedStore()

/** Reads rows of a number, a moment and three texts through the database. */
async function readRows(rows: readonly (readonly Cell[])[]): Promise<RowLists> {
  const values = rows.map(([id, moment, ...texts], at) => {
    const numbers = sql`${sql.lit(id)} as id, cast(${moment} as bigint) as moment`
    const [word, note, other] = texts.map((text) => sql`cast(${text} as text)`)
    return sql`select ${sql.lit(at)} as position, ${numbers},
      ${word} as word, ${note} as note, ${other} as other`
  })
  const cells = ['id', 'moment', 'word', 'note', 'other'].map((column) => sql.ref(column))
  const list = sql`
    select ${cellColumns(cells)} from (${sql.join(values, sql` union all `)}) as made`
  const range = { from: 0, to: rows.length }
  const select = store().prepareInWorker<object, [count: number, JoinedCells]>(
    () => sql`
      select count(*), ${joinedCells(cells.length)} from (${list} order by position) as rows`,
  )
  for await (const window of readInWindows(range, async () => (await select({}))[0]!)) {
    return window.layout === 'rows' ? window : byRows(window)
  }
  throw new Error('there is no window')
}

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).slice(1)
const numbers = ['-', '+', '-1', '+1.5', '-.5', '-5.', '-1.2.3', '-.', '-1e5', '--1', '-1a']
const text = fc.oneof(
  awkwardText,
  fc.constantFrom(...controls, '\x7f', '\u2028', '\ud83e\udd8a', ...numbers, "'-1", '', ' '),
  fc.string({ minLength: 60, maxLength: 90 }).map((long) => long.replaceAll('\0', '')),
)
const moment = fc.constantFrom(0, 1_767_225_600_000, 1_767_225_600_001, 253_402_300_799_999)
const row = fc.tuple(fc.nat(), moment, text, fc.option(text), fc.option(text))

const columns = (
  [
    ['id', 'integer'],
    ['createdAt', 'millisecond'],
    ['a "word"', 'text'],
    ['note', 'text'],
    ['digest', 'text'],
  ] as const
).map(([name, kind]): WrittenColumn => ({ name, kind }))

const shown = ([id, moment, ...texts]: readonly Cell[]): Cell[] => [
  id!,
  new Date(moment!).toISOString(),
  ...texts,
]

test(
  'rows are written byte by byte as they would be from their values',
  { tags: 'long' },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const read = await readRows(rows)
        expect(Buffer.from(read.bytes).toString()).toBe(
          rows.map((cells) => JSON.stringify(cells)).join(','),
        )
        const lines = rows.map((cells) => {
          const line = shown(cells).map((cell, index) => [columns[index]!.name, cell ?? undefined])
          return `${JSON.stringify(Object.fromEntries(line))}\n`
        })
        expect(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(writeNdjson(columns).write(read)),
        ).toBe(lines.join(''))
        for (const delimiter of [',', '\t']) {
          for (const guard of [true, false]) {
            const written = writeDelimited(columns, { delimiter, guard }).write(read)
            const records = rows.map((cells) => writeRecord(shown(cells), { delimiter, guard }))
            expect(Buffer.from(written).toString()).toBe(records.join(''))
          }
        }
      }),
      { numRuns: 300 },
    )
  },
)

test('a query apart that fails says so, and the next one is answered', async () => {
  const readFrom = (source: string) =>
    store().prepareInWorker<object, [number]>(() => sql`select 1 from ${sql.table(source)}`)({})
  await expect(readFrom('nowhere')).rejects.toThrow(/nowhere/)
  expect(await readFrom('datasets')).toEqual([])
})

test('a list takes as many cells as a row of an export has', async () => {
  const cells = Array.from({ length: 810 }, (_, index) => index)
  const select = store().prepareInWorker<object, [count: number, JoinedCells]>(
    () => sql`select count(*), ${joinedCells(cells.length)} from (
      select ${cellColumns(cells.map((cell) => sql.lit(cell)))}) as rows`,
  )
  for await (const window of readInWindows(
    { from: 0, to: 1 },
    async () => (await select({}))[0]!,
  )) {
    expect(parseRowLists(window)).toEqual([cells])
  }
})

test('a number below 2^53 is written to its last digit', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => Number.MAX_SAFE_INTEGER - index)
  const written = writeNdjson([{ name: 'a', kind: 'number' }]).write(
    toRowLists(numbers.map((number) => [number])),
  )
  const lines = new TextDecoder().decode(written).trimEnd().split('\n')
  expect(lines).toEqual(numbers.map((number) => `{"a":${number}}`))
})
