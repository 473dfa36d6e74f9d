import { addItem, addItems } from '@vitrine/client'
import { limits, type Exploration } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPages } from './all-pages.ts'
import { startTestServer, type TestServer } from './server.ts'

describe('words in the labels of what references lead to', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    const { client } = server
    await client.repoCreate({
      body: {
        name: 'countries',
        label: 'name',
        schema: [
          { name: 'code', type: 'string' },
          { name: 'name', type: 'string', optional: true },
        ],
      },
    })
    await client.viewCreate({
      body: { name: 'named', base: 'countries', where: { name: { empty: false } } },
    })
    await client.repoCreate({
      body: {
        name: 'cities',
        schema: [
          { name: 'name', type: 'string' },
          { name: 'country', type: 'reference', target: 'countries', optional: true },
        ],
      },
    })
    await client.repoCreate({
      body: {
        name: 'visits',
        schema: [
          { name: 'city', type: 'reference', target: 'cities' },
          { name: 'home', type: 'reference', target: 'named' },
          { name: 'any', type: 'reference', target: 'named', optional: true },
        ],
      },
    })
    await addItem(client, 'countries', { code: 'NZ', name: 'New Zealand' })
    await addItem(client, 'countries', { code: 'AU', name: 'Australia' })
    await addItem(client, 'countries', { code: 'XX' })
    await addItem(client, 'cities', { name: 'Ōtaki', country: 1 })
    await addItem(client, 'cities', { name: 'Perth', country: 2 })
    await addItem(client, 'cities', { name: 'Zealand' })
    await addItem(client, 'cities', { name: 'Nowhere', country: 3 })
    await addItem(client, 'visits', { city: 2, home: 1 })
    await addItem(client, 'visits', { city: 1, home: 2, any: 1 })
  })
  afterAll(() => server.close())

  const idsOf = async (datasetId: string, asked: Exploration) => {
    const items = await allPages(server, datasetId, asked, 2)
    const { where, q } = asked
    expect(await server.client.datasetCount({ datasetId, q, where })).toEqual({
      totalItems: items.length,
    })
    return items.map(({ id }) => id)
  }

  test.each<[datasetId: string, q: string, ids: number[]]>([
    ['cities', 'new zealand', [1]],
    ['cities', 'ZEALAND', [1, 3]],
    // The label alone, and all words in one text.
    ['cities', 'nz', []],
    ['cities', 'otaki zealand', []],
    ['cities', 'xx', []],
    // Without texts of its own, by a view too, whose first text is its label; not by the label of a label.
    ['visits', 'otaki', [2]],
    ['visits', 'au', [2]],
    ['visits', 'zealand', []],
    ['visits', 'nobody', []],
  ])('in %s, a search for %j finds %j', async (datasetId, q, ids) => {
    expect(await idsOf(datasetId, { q })).toEqual(ids)
  })

  test('go together with a filter and an order, and are those of a state', async () => {
    expect(await idsOf('cities', { q: 'zealand', order: ['-id'] })).toEqual([3, 1])
    expect(await idsOf('cities', { q: 'zealand', where: { country: { eq: 1 } } })).toEqual([1])
    const state = { datasetId: 'cities', at: 2, q: 'zealand' }
    expect((await server.client.datasetItemList(state)).map(({ id }) => id)).toEqual([1])
    expect(await server.client.datasetCount(state)).toEqual({ totalItems: 1 })
  })

  test('mean the condition that a view can have', async () => {
    const { client } = server
    const where = {
      any: [{ name: { search: 'zealand' } }, { 'country.name': { search: 'zealand' } }],
    }
    await client.viewCreate({ body: { name: 'zealands', base: 'cities', where } })
    expect(await idsOf('zealands', {})).toEqual(await idsOf('cities', { q: 'zealand' }))
    expect(await idsOf('zealands', { q: 'new' })).toEqual([1])
  })

  test('are found in items that were just added', async () => {
    const { client } = server
    expect(await idsOf('cities', { q: 'spain' })).toEqual([])
    const spain = await addItem(client, 'countries', { code: 'ES', name: 'Spain' })
    expect(await idsOf('cities', { q: 'spain' })).toEqual([])
    const city = await addItem(client, 'cities', { name: 'Lugo', country: spain })
    expect(await idsOf('cities', { q: 'spain' })).toEqual([city])
  })

  test('may be in many labels', async () => {
    const { client } = server
    const name = { name: 'name', type: 'string' }
    await client.repoCreate({ body: { name: 'parts', schema: [name] } })
    const part = { name: 'part', type: 'reference', target: 'parts' }
    await client.repoCreate({ body: { name: 'uses', schema: [name, part] } })
    // More than are named in a condition.
    const bolts = Array.from({ length: limits.searchedIds + 1 }, (_, at) => ({
      name: `Bolt ${at}`,
    }))
    for await (const added of addItems(client, 'parts', bolts)) expect(added).toHaveProperty('id')
    for (const id of [3, limits.searchedIds + 1]) {
      const { data } = await client.datasetItemGet({ datasetId: 'parts', itemId: id })
      const use = await addItem(client, 'uses', { name: `Use of ${id}`, part: id })
      expect(
        await idsOf('uses', { q: data['name'] as string, where: { part: { eq: id } } }),
      ).toEqual([use])
    }
    expect(await idsOf('uses', { q: 'bolt' })).toEqual([1, 2])
    expect(await idsOf('uses', { q: 'use of 3' })).toEqual([1])
  })

  test.each([
    ['long', [`Long ${'x'.repeat(99)} end`]],
    [
      'many',
      Array.from({ length: 1001 }, (_, at) => (at < 1000 ? `part ${at}` : 'Part of the end')),
    ],
  ])('may be in labels that are too %s to be kept in memory', async (kind, labels) => {
    const { client } = server
    const name = { name: 'name', type: 'string' }
    await client.repoCreate({ body: { name: `${kind}-labels`, schema: [name] } })
    const part = { name: 'part', type: 'reference', target: `${kind}-labels` }
    await client.repoCreate({ body: { name: `${kind}-uses`, schema: [name, part] } })
    const use = async (labels: readonly string[]) => {
      let last: number | undefined
      for await (const added of addItems(
        client,
        `${kind}-labels`,
        labels.map((name) => ({ name })),
      )) {
        if ('error' in added) throw added.error
        last = added.id
      }
      return addItem(client, `${kind}-uses`, { name: 'A use', part: last! })
    }
    await use(['Short end'])
    expect(await idsOf(`${kind}-uses`, { q: 'END' })).toEqual([1])
    expect(await use(labels)).toBe(2)
    expect(await idsOf(`${kind}-uses`, { q: 'END' })).toEqual([1, 2])
  })
})
