import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ExportColumn } from '../src/exports/export-column.ts'
import { openDelimited } from '../src/exports/write-delimited.ts'
import { openNdjson } from '../src/exports/write-ndjson.ts'
import { writeRecord } from '../src/formats/write-delimited.ts'
import { cellList, joinedLists, type JoinedLists } from '../src/store/expressions.ts'
import type { Cell } from '../src/store/item-rows.ts'
import { awkwardText } from './awkward-text.ts'
import { sharedStore } from './shared-store.ts'

const store = sharedStore()

/** What the database makes of rows of a number, two texts and a number. */
async function readRows(rows: readonly (readonly Cell[])[]): Promise<Buffer<ArrayBuffer>> {
  const values = rows.map(([id, word, note, moment], at) => {
    const texts = sql`cast(${word} as text) as word, cast(${note} as text) as note`
    return sql`select ${sql.lit(at)} as position, ${sql.lit(id)} as id, ${texts},
      cast(${moment} as bigint) as moment`
  })
  const cells = ['id', 'word', 'note', 'moment'].map((column) => sql.ref(column))
  const list = sql`select ${cellList(cells)} as list from (${sql.join(values, sql` union all `)}) as made`
  const read = store().prepareApart<object, [JoinedLists]>(
    () => sql`select ${joinedLists(sql.ref('list'))} from (${list} order by position) as rows`,
  )
  const [[lists]] = (await read({})) as [[Exclude<JoinedLists, null>]]
  return Buffer.from(lists as string)
}

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).slice(1)
const numbers = ['-', '+', '-1', '+1.5', '-.5', '-5.', '-1.2.3', '-.', '-1e5', '--1', '-1a']
const text = fc.oneof(
  awkwardText,
  fc.constantFrom(...controls, '\x7f', '\u2028', '\ud83e\udd8a', ...numbers, "'-1", '', ' '),
  // Longer than what is copied byte by byte.
  fc.string({ minLength: 60, maxLength: 90 }).map((long) => long.replaceAll('\0', '')),
)
const moment = fc.constantFrom(0, 1_767_225_600_000, 1_767_225_600_001, 253_402_300_799_999)
const row = fc.tuple(fc.nat(), text, fc.option(text), moment)

const columns: ExportColumn[] = [
  { name: 'id', type: 'id', at: 0, presentAt: 0 },
  { name: 'createdAt', type: 'moment', at: 3, presentAt: 3 },
  { name: 'a "word"', type: 'string', at: 1, presentAt: 1 },
  { name: 'note', type: 'string', at: 2, presentAt: 2 },
  { name: 'word again', type: 'digest', at: 1, presentAt: 2 },
]

const shown = (cells: readonly Cell[]): Cell[] =>
  columns.map(({ type, at, presentAt }) => {
    if (cells[presentAt] === null) return null
    return type === 'moment' ? new Date(cells[at]!).toISOString() : cells[at]!
  })

test('rows are written byte by byte as they would be from their values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      const read = await readRows(rows)
      expect(read.toString()).toBe(rows.map((cells) => JSON.stringify(cells)).join(','))
      const lines = rows.map((cells) => {
        const line = shown(cells).map((cell, index) => [columns[index]!.name, cell ?? undefined])
        return `${JSON.stringify(Object.fromEntries(line))}\n`
      })
      expect(String(await openNdjson(columns).write(read))).toBe(lines.join(''))
      for (const delimiter of [',', '\t']) {
        for (const guard of [true, false]) {
          const written = await openDelimited(columns, { delimiter, guard }).write(read)
          const records = rows.map((cells) => writeRecord(shown(cells), { delimiter, guard }))
          expect(Buffer.from(written).toString()).toBe(records.join(''))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('a query apart that fails says so, and the next one is answered', async () => {
  const readFrom = (source: string) =>
    store().prepareApart<object, [number]>(() => sql`select 1 from ${sql.table(source)}`)({})
  await expect(readFrom('nowhere')).rejects.toThrow(/nowhere/)
  expect(await readFrom('datasets')).toEqual([])
})

test('a list takes as many cells as an item has', async () => {
  const cells = Array.from({ length: 700 }, (_, index) => index)
  const read = store().prepareApart<object, [JoinedLists]>(
    () => sql`select ${joinedLists(sql.ref('list'))} from (
      select ${cellList(cells.map((cell) => sql.lit(cell)))} as list) as rows`,
  )
  const [row] = await read({})
  expect(Buffer.from(row![0] as string).toString()).toBe(JSON.stringify(cells))
})
