// @module-tag engines

import { addItems } from '@vitrine/client'
import { compareText, naturalKey } from '@vitrine/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../src/store/sqlite/connection.ts'
import { containsSearched } from '../src/store/expressions.ts'
import { TextBudget, TooMuchText } from '../src/store/text-budget.ts'
import { isOnSqlite } from './test-database.ts'
import { startTestServer, type TestServer } from './server.ts'

/** More than the budget of the connection that writes; PostgreSQL has none, and takes its time. */
const length = isOnSqlite ? 300_000 : 30_000
/** Becomes 18 characters of a search each. */
const ligatures = '\ufdfa'.repeat(length)
const han = Array.from({ length }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
).join('')
const digits = '0123456789 '.repeat(length / 10)
/** Every third is long. */
const texts = Array.from({ length: 18 }, (_, at) => {
  const long = [ligatures, han, digits][(at / 3) % 3]
  return at % 3 === 0 ? `${long}Ünd${at}` : `und${at}`
})

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: {
      name: 'texts',
      schema: [
        { name: 'text', type: 'string', length: 1_000_000 },
        { name: 'number', type: 'integer' },
      ],
    },
  })
  // One after the other: those of one request are in any order.
  for (const [number, text] of texts.entries()) {
    for await (const added of addItems(server.client, 'texts', [{ text, number }])) {
      expect(added).toHaveProperty('id')
    }
  }
})
afterAll(() => server.close())

const numbers = async (datasetId: string, q?: string) => {
  const items = await server.client.datasetItemList({ datasetId, pageSize: 100, ...(q && { q }) })
  return items.map(({ data }) => data['number'])
}
const all = texts.map((_, at) => at)
const long = all.filter((at) => at % 3 === 0)

test('long texts are searched among short ones', async () => {
  expect(await numbers('texts', 'UND')).toEqual(all)
  expect(await numbers('texts', 'und2')).toEqual(all.filter((at) => `${at}`.startsWith('2')))
  expect(await numbers('texts', 'nowhere')).toEqual([])
})

const views = {
  folded: { view: { where: { text: { icontains: 'üND' } } }, numbers: long },
  sorted: {
    view: { where: { text: { search: 'und' } }, order: '-number' },
    numbers: all.toReversed(),
  },
  halved: { view: { where: { text: { search: 'ünd1' } }, limit: 4 }, numbers: [1, 10, 11, 12] },
}

test.each(Object.entries(views))(
  'the view %s has its items',
  async (name, { view, numbers: expected }) => {
    const body = { name, base: 'texts', ...view }
    const preview = await server.client.viewPreview({ body })
    expect(preview.items.map(({ data }) => data['number'])).toEqual(expected.slice(0, 20))
    await server.client.viewCreate({ body })
    expect(await numbers(name)).toEqual(expected)
  },
)

const cut = (text: string, characters: number) => Array.from(text).slice(0, characters).join('')
const natural = (text: string) => cut(naturalKey(cut(text, 4 * 187)), 187)
const byText = (a: number, b: number) => compareText(cut(texts[a]!, 256), cut(texts[b]!, 256))
const byNatural = (a: number, b: number) =>
  compareText(natural(texts[a]!), natural(texts[b]!)) ||
  compareText(cut(texts[a]!, 187), cut(texts[b]!, 187))
const orders = [
  { order: 'text', base: 'texts', numbers: all.toSorted(byText) },
  { order: '-text', base: 'texts', numbers: all.toSorted((a, b) => byText(b, a)) },
  { order: ['text', '-number'], base: 'texts', numbers: all.toReversed().toSorted(byText) },
  { order: 'natural:text', base: 'texts', numbers: all.toSorted(byNatural) },
  { order: '-natural:text', base: 'texts', numbers: all.toSorted((a, b) => byNatural(b, a)) },
  // Of the key of the base as much as an index takes.
  { order: '-text', base: 'ordered-3', numbers: all.toSorted((a, b) => byText(b, a)) },
  { order: [], base: 'ordered-5', numbers: all.toSorted((a, b) => byText(b, a)) },
]

test.each(orders.entries().toArray())(
  'the beginnings of long texts are put in order (%i)',
  async (index, { order, base, numbers: expected }) => {
    const name = `ordered-${index}`
    await server.client.viewCreate({ body: { name, base, ...(order.length > 0 && { order }) } })
    expect(await numbers(name)).toEqual(expected)
  },
)

test('functions of the connection that writes refuse what would hold the event loop', async () => {
  const { db, close } = openSqlite(':memory:', { readOnly: true, textBudget: new TextBudget() })
  const includes = (text: string) =>
    sql<{ found: number }>`
      select ${containsSearched(sql`${text}`, 'u')} as found`.execute(db)
  await expect(includes('ü'.repeat(10))).resolves.toMatchObject({ rows: [{ found: 1 }] })
  await expect(includes('é'.repeat(300_000))).rejects.toThrow(TooMuchText)
  const several = Array.from({ length: 10 }, () => includes('é'.repeat(100_000)))
  await expect(Promise.all(several)).rejects.toThrow(TooMuchText)
  await new Promise(setImmediate)
  await expect(includes('é'.repeat(100_000))).resolves.toMatchObject({ rows: [{ found: 0 }] })
  await close()
})
