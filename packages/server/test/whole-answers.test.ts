import { addItem } from '@vitrine/client'
import { progressHeader } from '@vitrine/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { usualSizes } from '../src/listings/sizes.ts'
import { readResult } from '../src/reading/read-result.ts'
import type { DatasetReaderOptions } from '../src/reading/dataset-reader.ts'
import { bodyOf } from './body-of.ts'
import { fillWords } from './fill-words.ts'
import { patient } from './patient.ts'
import { SampleStore } from './sample-store.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'

const never = { partial: 0, whole: 0, preview: 0, background: 60_000 }

/** A server with a repository of three words. */
async function start(viewBudgets = never): Promise<TestServer> {
  const server = await startTestServer({}, { viewBudgets, restarts: true })
  onTestFinished(() => server.close())
  await server.client.repoCreate({
    body: { name: 'words', schema: [{ name: 'word', type: 'string' }] },
  })
  for (const word of ['one', 'two', 'three']) await addItem(server.client, 'words', { word })
  return server
}

const clauses = {
  filtered: { where: { word: { contains: 'o' } } },
  sorted: { order: 'word' },
  first: { where: { word: { contains: 'o' } }, order: '-word', limit: 2 },
}

test.each(Object.entries(clauses))(
  'a read of a view that is %s is whole, or 503 with its progress',
  { tags: 'long', timeout: 120_000 },
  async (name, view) => {
    const server = await start()
    const { client } = server
    await client.viewCreate({ body: { name, base: 'words', ...view } })
    const read = (path: string) => server.request(`/api/dataset/${name}/${path}`)
    const ready = () => expect.poll(async () => (await read('item')).ok, { interval: 1 }).toBe(true)
    let added = 0
    const add = () => addItem(client, 'words', { word: `zoo ${(added += 1)}` })
    for (const asked of ['item', 'item/ID', 'item/ID/word', 'export?format=csv']) {
      await ready()
      // Nothing goes on behind a reply any more.
      await server.restart()
      const total = await add()
      const path = asked.replace('ID', String(total))
      const refused = await read(path)
      expect(refused.status, path).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await bodyOf(refused)).toEqual({
        code: 'VIEW_NOT_READY',
        message: 'the view has not looked at all items yet',
        details: { progress: { scanned: total - 1, total } },
      })
      await ready()
      expect((await read(path)).status, path).toBe(200)
    }
    await server.restart()
    const total = await add()
    const take = async () => {
      const reply = await read('item?partial=true')
      expect(reply.status).toBe(200)
      const items = (await reply.json()) as unknown[]
      return { items: items.length, progress: reply.headers.get(progressHeader) }
    }
    const all = name === 'first' ? 2 : total - (name === 'sorted' ? 0 : 1)
    const whole = { items: all, progress: null }
    const part = { items: name === 'first' ? 2 : all - 1, progress: `${total - 1}/${total}` }
    // The work that the read began may be done before an order is read.
    expect([part, whole]).toContainEqual(await take())
    await ready()
    expect(await take()).toEqual(whole)
  },
)

test('a count of a part is not exact, a whole one is 503 until it is', async () => {
  const server = await start()
  await server.client.viewCreate({ body: { name: 'filtered', base: 'words', ...clauses.filtered } })
  const count = (query = '') => server.request(`/api/dataset/filtered/count${query}`)
  const ready = () => expect.poll(async () => (await count()).ok, { interval: 1 }).toBe(true)
  await ready()
  await server.restart()
  await addItem(server.client, 'words', { word: 'zoo' })
  expect((await count()).status).toBe(503)
  await ready()
  await server.restart()
  await addItem(server.client, 'words', { word: 'owl' })
  const part = await count('?partial=true')
  expect(part.headers.get(progressHeader)).toBe('4/5')
  expect(await part.json()).toEqual({ totalItems: 3, exact: false })
  await ready()
  expect(await (await count()).json()).toEqual({ totalItems: 4 })
})

test('an order changes no count, so it is there before anything is in order', async () => {
  const server = await start()
  const { client } = server
  const create = (name: string, body: object) =>
    client.viewCreate({ body: { name, base: 'words', ...body } })
  await create('sorted', { order: 'word' })
  await create('first', { order: 'word', limit: 2 })
  await create('first-again', { base: 'first', order: '-word', limit: 50 })
  await addItem(client, 'words', { word: 'zoo' })
  for (const [name, totalItems] of [
    ['sorted', 4],
    ['first', 2],
    ['first-again', 2],
  ]) {
    const counted = await server.request(`/api/dataset/${name}/count`)
    expect(await counted.json(), String(name)).toEqual({ totalItems })
  }
})

test('a view that is read but not ordered yet is not reported as whole', () => {
  const building = { scanned: 1_000_000 } as never
  const standing = { head: 1_000_000, current: undefined, building }
  expect(readResult([], standing, false).progress).toEqual({ scanned: 999_999, total: 1_000_000 })
  expect(readResult([], { ...standing, head: 0 }, false)).toEqual({ value: [] })
})

test(
  'the one item that passes a filter is found, however late it comes',
  { tags: 'long' },
  async () => {
    const server = await start({ ...patient.viewBudgets!, partial: 0 })
    await fillWords(server, 50_000)
    await server.restart()
    const { client } = server
    const where = { word: { eq: 'w59999' } }
    expect(await client.datasetItemList({ datasetId: 'words', where })).toEqual([
      { id: 50_003, data: { word: 'w59999' } },
    ])
    const other = { word: { eq: 'w59998' } }
    expect(await client.datasetCount({ datasetId: 'words', where: other })).toEqual({
      totalItems: 1,
    })
  },
)

const chainLength = times('CHAIN_OF_VIEWS', { first: 48, whole: 296 })

test(
  `a chain of ${chainLength} views has all items`,
  { tags: 'long', timeout: 300_000 },
  async () => {
    const server = await start({ ...patient.viewBudgets!, partial: 0 })
    const { client } = server
    const chain = Array.from({ length: chainLength }, (_, index) => `view-${index}`)
    for (const [index, name] of chain.entries()) {
      const base = chain[index - 1] ?? 'words'
      await client.viewCreate({ body: { name, base, where: { word: { length: { gte: 3 } } } } })
    }
    await fillWords(server, 6000)
    await server.restart()
    const last = chain.at(-1)!
    const part = await server.request(`/api/dataset/${last}/count?partial=true`)
    expect(part.headers.get(progressHeader)).toMatch(/^[03]\/6003$/)
    expect(await part.json()).toMatchObject({ exact: false })
    expect(await client.datasetCount({ datasetId: last })).toEqual({ totalItems: 6003 })
    const [item] = await client.datasetItemList({ datasetId: last, page: 6002, pageSize: 1 })
    expect(item).toEqual({ id: 6003, data: { word: 'w15999' } })
  },
)

describe('a read that waits', () => {
  /** A view that is not caught up, and cannot be before `proceed` is called. */
  async function openHeld(options: Partial<DatasetReaderOptions> = {}) {
    const budgets = { partial: 0, whole: 60_000, preview: 0, background: 60_000 }
    const sample = await SampleStore.open(usualSizes, { budgets, ...options })
    const held = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    await sample.create({
      name: 'words',
      schema: [{ name: 'word', type: 'string', length: 20 }],
      items: [],
    })
    await sample.commit('words', { id: 1, createdAt: 0, data: { word: 'one' } })
    const holding = sample.store.write(async () => {
      hold()
      await held.promise
    })
    await isHeld
    const dataset = (await sample.datasets.find('words'))!
    // In an order, as the first items in that of the repository take no listing.
    const query = { where: { word: { eq: 'one' } }, order: ['word'] }
    const explored = (await sample.datasets.explorations.find(dataset, query, 'all'))!
    onTestFinished(async () => {
      held.resolve()
      await holding
      await sample[Symbol.asyncDispose]()
    })
    return { sample, explored, proceed: () => held.resolve() }
  }

  const page = { page: 0, pageSize: 20 }

  test('is answered once all items have been looked at', async () => {
    const { explored, proceed } = await openHeld()
    const answers = Array.from({ length: 100 }, () => explored.page(page))
    proceed()
    for (const { value, progress } of await Promise.all(answers)) {
      expect(value).toHaveLength(1)
      expect(progress).toBe(undefined)
    }
  })

  test('gives up its place when nobody waits for it any more, and others are refused', async () => {
    const { explored, proceed } = await openHeld({ waitingMax: 1 })
    const gone = new AbortController()
    const given = explored.page(page, { signal: () => gone.signal })
    const refused = await explored.page(page).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'VIEW_NOT_READY' })
    gone.abort()
    await expect(given).rejects.toMatchObject({ code: 'VIEW_NOT_READY' })
    const next = explored.page(page)
    proceed()
    expect((await next).value).toHaveLength(1)
  })

  test('does not keep the server from stopping', async () => {
    const { sample, explored } = await openHeld()
    const waiting = explored.page(page)
    const counting = explored.count({ partial: true })
    sample.datasets.endWaits()
    await expect(waiting).rejects.toMatchObject({ code: 'VIEW_NOT_READY' })
    expect((await counting).value).toEqual({ totalItems: 0, exact: false })
    await expect(explored.page(page)).rejects.toMatchObject({ code: 'VIEW_NOT_READY' })
  })
})

test(
  'a preview that is asked for again goes on, until it has looked at all',
  { tags: 'long' },
  async () => {
    const server = await start({ ...patient.viewBudgets!, preview: 1 })
    await fillWords(server, 200_000)
    await server.restart()
    const body = {
      name: 'last',
      base: 'words',
      where: { word: { starts_with: 'w' } },
      order: '-id',
    }
    const ask = () => server.client.viewPreview({ body })
    const first = await ask()
    expect(first).toMatchObject({ exact: false, total: 200_003 })
    expect(first.scanned).toBeLessThan(200_003)
    let last = first
    while (!last.exact) {
      const next = await ask()
      expect(next.scanned).toBeGreaterThanOrEqual(last.scanned)
      // In the order of the view, the first of what was looked at.
      expect(next.items[0]?.id ?? 0).toBe(next.scanned > 3 ? next.scanned : 0)
      last = next
    }
    expect(last).toMatchObject({ scanned: 200_003, totalItems: 200_000, exact: true })
    expect(last.items[0]?.id).toBe(200_003)
    const [both, again] = await Promise.all([ask(), ask()])
    expect(both).toEqual(last)
    expect(again).toEqual(last)
    await fillWords(server, 1)
    let further = await ask()
    while (!further.exact) further = await ask()
    expect(further).toMatchObject({ totalItems: 200_001 })
    expect(further.items[0]?.id).toBe(200_004)
  },
)
