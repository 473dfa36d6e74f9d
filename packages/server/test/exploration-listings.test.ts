// @module-tag engines

import { addItem, addItems } from '@vitrine/client'
import { progressHeader, type Exploration, type Item } from '@vitrine/contract'
import { expect, onTestFinished, test } from 'vitest'
import { allPages } from './all-pages.ts'
import { keptExplorations, longer, startWords, withO } from './explored-words.ts'
import { fillWords } from './fill-words.ts'

test('no more is kept than the bounds say', async () => {
  const server = await startWords({ explorationBounds: { listings: 3, rows: 8 } })
  onTestFinished(() => server.close())
  // A page that is not the first one takes a listing.
  const ask = (length: number) => allPages(server, 'words', { where: longer(length) }, 1)
  for (const length of [2, 3, 4, 5, 6]) {
    expect(await ask(length)).toHaveLength([4, 2, 1, 0, 0][length - 2]!)
    await expect.poll(() => keptExplorations(server)).toBeLessThanOrEqual(3)
  }
  // All four words twice are as many rows as may be.
  for (const where of [longer(0), longer(1), longer(2)]) {
    expect(await allPages(server, 'words', { where }, 3)).toHaveLength(4)
  }
  await expect.poll(() => keptExplorations(server)).toBe(2)
  for (const length of [2, 3, 4, 5, 6]) {
    expect(await ask(length)).toHaveLength([4, 2, 1, 0, 0][length - 2]!)
  }
})

test('a first page and a count of few items keep no listing, a later page does', async () => {
  const server = await startWords()
  onTestFinished(() => server.close())
  const { client } = server
  const asked = { datasetId: 'words', where: withO }
  expect((await client.datasetItemList({ ...asked, pageSize: 2 })).map(({ id }) => id)).toEqual([
    1, 2,
  ])
  expect(await client.datasetCount(asked)).toEqual({ totalItems: 3 })
  // All of them are known by now.
  const second = { ...asked, pageSize: 2, page: 1 }
  expect((await client.datasetItemList(second)).map(({ id }) => id)).toEqual([4])
  expect(await client.datasetItemList({ ...asked, page: 9 })).toEqual([])
  expect(await keptExplorations(server)).toBe(0)
  await addItem(client, 'words', { word: 'oops' })
  expect(await client.datasetCount(asked)).toEqual({ totalItems: 4 })
  expect(await keptExplorations(server)).toBe(0)
  await addItem(client, 'words', { word: 'owl' })
  expect((await client.datasetItemList(second)).map(({ id }) => id)).toEqual([4, 5])
  expect(await keptExplorations(server)).toBe(1)
})

// Keys that are short, and more bytes than are kept of them.
test.each(['w', 'w'.padEnd(600, '\u{1f600}')])(
  'the first hundred of an order keep no listing, what comes after them does',
  async (beginning) => {
    const server = await startWords()
    onTestFinished(() => server.close())
    const { client } = server
    const words = Array.from(
      { length: 150 },
      (_, at) => `${String((at * 7) % 150).padStart(3, '0')}${beginning}`,
    )
    const add = async (words: readonly string[]) => {
      const rows = words.map((word) => ({ word }))
      for await (const added of addItems(client, 'words', rows)) expect(added).toHaveProperty('id')
    }
    await add(words)
    const read = async (page: number) => {
      const items = await client.datasetItemList({
        datasetId: 'words',
        order: ['word'],
        pageSize: 50,
        page,
      })
      return items.map(({ data }) => (data['word'] as string).slice(0, 3))
    }
    const wordOf = async (itemId: number) => {
      const { data } = await client.datasetItemGet({ datasetId: 'words', itemId })
      return (data['word'] as string).slice(0, 3)
    }
    const beside = async (word: string) => {
      const where = { word: { starts_with: word } }
      const [item] = await client.datasetItemList({ datasetId: 'words', where })
      const asked = { datasetId: 'words', itemId: item!.id, order: ['word'] }
      const { previous, next } = await client.datasetItemNeighbours(asked)
      return [previous && (await wordOf(previous)), next && (await wordOf(next))]
    }
    const sorted = words.map((word) => word.slice(0, 3)).toSorted()
    expect(await read(0)).toEqual(sorted.slice(0, 50))
    expect(await read(1)).toEqual(sorted.slice(50, 100))
    await add([`049-${beginning}`, '!!!'])
    expect(await read(0)).toEqual(['!!!', ...sorted.slice(0, 49)])
    expect(await read(1)).toEqual([sorted[49], '049', ...sorted.slice(50, 98)])
    expect(await beside(sorted[0]!)).toEqual(['!!!', sorted[1]])
    expect(await beside('!!!')).toEqual([undefined, sorted[0]])
    await add([`~${beginning}`])
    expect(await beside('!!!')).toEqual([undefined, sorted[0]])
    const later = { datasetId: 'words', where: { word: { starts_with: '1' } }, order: ['-word'] }
    const [item] = await client.datasetItemList({ ...later, page: 1, pageSize: 5 })
    expect(item!.data['word']).toMatch(/^144w/)
    expect(await keptExplorations(server)).toBe(0)
    expect(await read(2)).toEqual(sorted.slice(98, 148))
    expect(await keptExplorations(server)).toBe(1)
    expect(await read(0)).toEqual(['!!!', ...sorted.slice(0, 49)])
  },
)

const background = 60_000
// A count begins with a scan, a later page takes a listing.
test.each([
  { read: 'count?', ends: 'nobody asks again', background: 0 },
  { read: 'item?page=1&', ends: 'nobody asks again', background: 0 },
  { read: 'count?', ends: 'something else is asked', background },
  { read: 'item?page=1&', ends: 'something else is asked', background },
])('a part of $read does not go on once $ends', { tags: 'long' }, async ({ read, background }) => {
  const server = await startWords({
    viewBudgets: { partial: 0, whole: 60_000, preview: 0, background },
  })
  onTestFinished(() => server.close())
  await fillWords(server, 200_000)
  const look = (text: string, options = '') =>
    server.request(`/api/dataset/words/${read}where={"word":{"icontains":"${text}"}}${options}`)
  const scanned = async () => {
    const { headers } = await look('none', '&partial=true')
    return Number(headers.get(progressHeader)!.split('/')[0])
  }
  await scanned()
  // They take turns, so the one before would be done by now, or nearly.
  expect((await look('no')).status).toBe(200)
  expect(await scanned()).toBeLessThan(100_000)
})

test('an order goes on while what it is of is counted', { tags: 'long' }, async () => {
  const server = await startWords({
    viewBudgets: { partial: 0, whole: 60_000, preview: 0, background: 60_000 },
  })
  onTestFinished(() => server.close())
  await fillWords(server, 50_000)
  const where = 'where={"word":{"contains":"1"}}&partial=true'
  // A screen asks for both, and counts what is not in order.
  await server.request(`/api/dataset/words/item?order=-word&page=1&pageSize=100&${where}`)
  await server.request(`/api/dataset/words/count?${where}`)
  const listOrders = () =>
    server.database.use(({ reads }) =>
      reads
        .selectFrom('listings')
        .select('state')
        .where('exploration', '<>', '')
        .where('kind', '=', 'order')
        .execute(),
    )
  await expect.poll(listOrders, { timeout: 20_000 }).toEqual([{ state: 'current' }])
})

test('a page that is full is answered before all items were looked at', async () => {
  const server = await startWords({
    viewBudgets: { partial: 0, whole: 0, preview: 0, background: 60_000 },
  })
  onTestFinished(() => server.close())
  const path = '/api/dataset/words/item?partial=true&where={"word":{"contains":"o"}}'
  const read = (query: string) => server.request(`${path}${query}`)
  await expect
    .poll(async () => ((await (await read('&pageSize=3')).json()) as Item[]).length)
    .toBe(3)
  await addItem(server.client, 'words', { word: 'oops' })
  const full = await read('&pageSize=3')
  expect(full.headers.get(progressHeader)).toBe(null)
  expect((await full.json()) as Item[]).toHaveLength(3)
  // What was committed meanwhile is not known yet, and the reply says so.
  await addItem(server.client, 'words', { word: 'owl' })
  expect((await read('&pageSize=50')).headers.get(progressHeader)).toMatch(/^\d\/6$/)
})

test('counting ends early where there is much', { tags: 'long' }, async () => {
  const server = await startWords()
  onTestFinished(() => server.close())
  await fillWords(server, 25_000)
  await server.restart()
  const where = { word: { starts_with: 'w' } }
  const count = (asked: Exploration) =>
    server.client.datasetCount({ datasetId: 'words', where: asked.where })
  expect(await count({ where })).toEqual({ totalItems: 10_000, exact: false })
  expect(await count({ where: { word: { lt: 'w' } } })).toEqual({ totalItems: 4 })
  expect(await count({ where: { word: { between: ['w10000', 'w19999'] } } })).toEqual({
    totalItems: 10_000,
  })
  const asked = { where, order: ['-id'] }
  await expect
    .poll(() => server.client.datasetItemList({ datasetId: 'words', page: 1249, ...asked }))
    .toHaveLength(20)
  expect((await server.client.datasetItemList({ datasetId: 'words', ...asked }))[0]).toEqual({
    id: 25_004,
    data: { word: 'w34999' },
  })
})
