// @module-tag engines

import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { wholeSearch } from './whole-search.ts'

const titles = {
  bus: 'バス停',
  busHalf: 'ﾊﾞｽ停',
  busApart: 'ハ\u3099ス停',
  lotus: 'ハスの花',
  may: 'май',
  mayApart: 'МАИ\u0306',
  institute: 'МАИ',
  cafe: 'Café',
  cafeApart: 'Cafe\u0301',
  percent: 'Now 50% OFF',
  offers: 'Now 50 offers',
  snake: 'Snake_Case',
  snakes: 'SnakesCase',
  folder: String.raw`C:\temp`,
  long: `${'Ab'.repeat(700)}%`,
} as const
type Title = keyof typeof titles

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const schema = [{ name: 'title', type: 'string' }] as const
  await server.client.repoCreate({ body: { name: 'words', schema: [...schema] } })
  for (const title of Object.values(titles)) await addItem(server.client, 'words', { title })
})
afterAll(() => server.close())

const keysOf = (found: readonly unknown[]): Title[] =>
  (Object.keys(titles) as Title[]).filter((key) => found.includes(titles[key]))

const sought: Record<string, Title[]> = {
  バス: ['bus', 'busHalf', 'busApart'],
  ﾊﾞｽ: ['bus', 'busHalf', 'busApart'],
  ハス: ['lotus'],
  ﾊｽ: ['lotus'],
  МАЙ: ['may', 'mayApart'],
  маи: ['institute'],
  cafe: ['cafe', 'cafeApart'],
}

test.each(Object.entries(sought))(
  'a list, a view and the search of everything find %s in the same letters alone',
  async (q, expected) => {
    const { client } = server
    const items = await client.datasetItemList({ datasetId: 'words', q })
    expect(keysOf(items.map(({ data }) => data['title']))).toEqual(expected)

    const name = `found-${Object.keys(sought).indexOf(q)}`
    await client.viewCreate({ body: { name, base: 'words', where: { title: { search: q } } } })
    const members = await client.datasetItemList({ datasetId: name })
    expect(keysOf(members.map(({ data }) => data['title']))).toEqual(expected)

    const found = await wholeSearch(client, q)
    expect(keysOf(found.map(({ match }) => match.text))).toEqual(expected)
  },
)

const parts: [part: string, expected: Title[]][] = [
  ['50% o', ['percent']],
  ['e_c', ['snake']],
  [String.raw`:\T`, ['folder']],
  ['%', ['percent', 'long']],
  ['aB'.repeat(600), ['long']],
]

test.each(parts)(
  'a view and a filter find part %# as it is written, in any case',
  async (part, expected) => {
    const { client } = server
    const where = { title: { icontains: part } }
    const name = `part-${parts.findIndex(([each]) => each === part)}`
    await client.viewCreate({ body: { name, base: 'words', where } })
    const members = await client.datasetItemList({ datasetId: name })
    expect(keysOf(members.map(({ data }) => data['title']))).toEqual(expected)
    const items = await client.datasetItemList({ datasetId: 'words', where })
    expect(keysOf(items.map(({ data }) => data['title']))).toEqual(expected)
  },
)
