import { addItem } from '@vitrine/client'
import type { Exploration } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPages } from './all-pages.ts'
import { startTestServer, type TestServer } from './server.ts'

describe('words that are looked for', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    const { client } = server
    await client.repoCreate({
      body: { name: 'places', schema: [{ name: 'name', type: 'string' }] },
    })
    await client.repoCreate({
      body: {
        name: 'dishes',
        schema: [
          { name: 'dish', type: 'string', length: 40 },
          { name: 'course', type: 'string', choices: ['starter', 'main', 'sweet'], optional: true },
          { name: 'recipe', type: 'url', optional: true },
          { name: 'from', type: 'reference', target: 'places', optional: true },
          { name: 'about', type: 'json', optional: true },
          { name: 'minutes', type: 'integer', optional: true },
          { name: 'any', type: 'string', optional: true },
        ],
      },
    })
    await addItem(client, 'places', { name: 'Lyon' })
    await addItem(client, 'dishes', { dish: 'Crème brûlée', course: 'sweet', from: 1 })
    await addItem(client, 'dishes', {
      dish: 'Soup',
      course: 'starter',
      recipe: 'https://example.org/Lyon/soup',
      minutes: 40,
    })
    await addItem(client, 'dishes', { dish: 'Großes Schnitzel 40', about: '{"lyon":"soup"}' })
    await addItem(client, 'dishes', { dish: 'Sweet soup', any: 'tea' })
  })
  afterAll(() => server.close())

  const found = async (q: string, asked: Exploration = {}, datasetId = 'dishes') => {
    const items = await allPages(server, datasetId, { ...asked, q }, 2)
    const count = await server.client.datasetCount({ datasetId, q, where: asked.where })
    expect(count).toEqual({ totalItems: items.length })
    const summary = await server.client.datasetSummary({ datasetId, q, where: asked.where })
    expect(summary.items).toBe(items.length)
    return items.map(({ id }) => id)
  }

  test.each<[q: string, ids: number[]]>([
    ['creme BRULEE', [1]],
    ['brûlée crème', [1]],
    ['GROSSES', [3]],
    // Of choices, of addresses, and of the labels of what references lead to, but not of keys in JSON.
    ['sweet', [1, 4]],
    ['lyon', [1, 2]],
    ['40', [3]],
    // All of them in one text.
    ['sweet soup', [4]],
    ['soup starter', []],
    ['%', []],
    ['_', []],
    // The language cannot name it.
    ['tea', []],
    ['', [1, 2, 3, 4]],
    [' \u0301 ', [1, 2, 3, 4]],
  ])('%j finds %j', async (q, ids) => {
    expect(await found(q)).toEqual(ids)
  })

  test('go together with a filter and an order', async () => {
    expect(await found('soup', { order: ['-id'] })).toEqual([4, 2])
    expect(await found('soup', { where: { course: { empty: true } } })).toEqual([4])
    const where = { any: [{ id: { eq: 2 } }, { id: { eq: 3 } }] }
    expect(await found('soup', { where })).toEqual([2])
    expect(await found('soup', { where: { all: [where] } })).toEqual([2])
  })

  test('are found in items that were just added, and in the renamed fields of a view', async () => {
    const { client } = server
    await client.viewCreate({
      body: {
        name: 'menu',
        base: 'dishes',
        order: '-id',
        fields: [
          { name: 'what', from: 'dish' },
          { name: 'origin', from: 'from.name' },
          { name: 'time', from: 'minutes', as: 'string' },
        ],
      },
    })
    expect(await found('lyon', {}, 'menu')).toEqual([1])
    expect(await found('40', {}, 'menu')).toEqual([3, 2])
    await addItem(client, 'dishes', { dish: 'Quiche', from: 1, minutes: 40 })
    expect(await found('LYON', {}, 'menu')).toEqual([5, 1])
    expect(await found('40', {}, 'menu')).toEqual([5, 3, 2])
  })

  test('are refused for a dataset without text fields', async () => {
    const { client } = server
    await client.viewCreate({ body: { name: 'times', base: 'dishes', fields: ['minutes'] } })
    for (const call of ['item', 'count', 'summary']) {
      const reply = await server.request(`/api/dataset/times/${call}?q=40`)
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({
        code: 'QUERY_INVALID',
        details: { problems: [{ path: ['q'], reason: expect.stringContaining('no field') }] },
      })
    }
    expect(await found('', {}, 'times')).toHaveLength(5)
  })

  test('are found in a field that was added', async () => {
    const { client } = server
    const schema = [{ name: 'size', type: 'integer' }]
    await client.repoCreate({ body: { name: 'boxes', schema } })
    await addItem(client, 'boxes', { size: 1 })
    const note = { name: 'note', type: 'string', optional: true }
    await client.repoExtend({
      datasetId: 'boxes',
      body: { name: 'boxes', schema: [...schema, note] },
    })
    await addItem(client, 'boxes', { size: 2, note: 'fragile' })
    expect(await found('FRAGILE', {}, 'boxes')).toEqual([2])
  })

  test('may be many in many fields', { tags: 'long' }, async () => {
    const { client } = server
    const schema = Array.from({ length: 200 }, (_, index) => {
      return { name: `f${index}`, type: 'string', optional: true }
    })
    await client.repoCreate({ body: { name: 'wide', schema } })
    const words = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index))
    await addItem(client, 'wide', { f3: words.slice(1).join(''), f199: words.join('') })
    await addItem(client, 'wide', { f0: words.slice(1).join('') })
    expect(await found(words.join(' '), {}, 'wide')).toEqual([1])
  })
})
