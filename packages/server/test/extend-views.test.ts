import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { by, size, stars, startPeopleServer, title, type PeopleServer } from './people-server.ts'

let server: PeopleServer

beforeAll(async () => {
  server = await startPeopleServer()
})

afterAll(() => server.close())

describe('views on a repository that is extended', () => {
  test('have what follows from it, those on them too, whatever they pick', async () => {
    await server.create('trees', [title, { ...size, optional: true }])
    for (const each of ['Kauri', 'Rimu', 'Tōtara']) {
      await addItem(server.client, 'trees', { title: each })
    }
    await server.view('all-trees', 'trees')
    await server.view('picked', 'all-trees', { fields: [{ name: 'stars', from: 'title' }] })
    await server.view('without-size', 'all-trees', { fields: { except: ['size'] } })
    await server.view('some', 'without-size', { where: { title: { gt: 'M' } }, order: '-title' })
    expect(await server.dataOf('some')).toEqual([{ title: 'Tōtara' }, { title: 'Rimu' }])

    await server.extend('trees', [{ ...title, length: 50 }, { ...size, optional: true }, stars, by])
    expect(await server.schemaOf('all-trees')).toEqual([
      { ...title, length: 50 },
      { ...size, optional: true },
      stars,
      by,
    ])
    expect(await server.schemaOf('picked')).toEqual([{ ...title, length: 50, name: 'stars' }])
    expect(await server.schemaOf('without-size')).toEqual([{ ...title, length: 50 }, stars, by])
    expect(await server.schemaOf('some')).toEqual([{ ...title, length: 50 }, stars, by])
    for (const datasetId of ['all-trees', 'without-size', 'some']) {
      const { referencesTo } = await server.client.datasetGet({ datasetId })
      expect(referencesTo).toContain('people')
    }
    expect(await server.dataOf('some')).toEqual([{ title: 'Tōtara' }, { title: 'Rimu' }])
    await addItem(server.client, 'trees', { title: 'Pōhutukawa', stars: 5, by: 2 })
    expect(await server.dataOf('some')).toEqual([
      { title: 'Tōtara' },
      { title: 'Rimu' },
      { title: 'Pōhutukawa', stars: 5, by: 2 },
    ])
    await server.view('by-name', 'some', {
      where: { 'by.name': { eq: 'Grace' } },
      fields: ['stars', { name: 'who', from: 'by.name' }],
    })
    expect(await server.dataOf('by-name')).toEqual([{ stars: 5, who: 'Grace' }])
    expect(await server.dataOf('picked')).toHaveLength(4)
  })

  test('stay in order where what they are ordered by may be missing from now on', async () => {
    const rank = { name: 'rank', type: 'integer' }
    await server.create('ranked', [title, rank])
    await server.create('refers', [{ name: 'to', type: 'reference', target: 'ranked' }])
    for (const [index, value] of [3, -1, 2].entries()) {
      await addItem(server.client, 'ranked', { title: `t${index}`, rank: value })
      await addItem(server.client, 'refers', { to: index + 1 })
    }
    await server.view('in-order', 'ranked', { order: '-rank' })
    await server.view('first-two', 'in-order', { limit: 2 })
    await server.view('filtered', 'in-order', { where: { title: { neq: 'x' } } })
    await server.view('along', 'refers', {
      order: 'to.rank',
      fields: [{ name: 'r', from: 'to.rank' }],
    })
    await server.view('by-title', 'ranked', { order: 'title' })
    const ranks = async (datasetId: string, asked = {}) =>
      (await server.dataOf(datasetId, asked)).map(
        ({ rank: r, r: followed = r }) => followed ?? null,
      )
    expect(await ranks('in-order')).toEqual([3, 2, -1])
    expect(await ranks('first-two')).toEqual([3, 2])
    expect(await ranks('filtered')).toEqual([3, 2, -1])
    expect(await ranks('along')).toEqual([-1, 2, 3])
    expect(await ranks('by-title')).toEqual([3, -1, 2])
    expect(await ranks('ranked', { order: 'rank' })).toEqual([-1, 2, 3])
    expect(await ranks('refers', { order: 'to.rank' })).toEqual([null, null, null])

    await server.extend('ranked', [title, { ...rank, optional: true }])
    await addItem(server.client, 'ranked', { title: 't3', rank: 1 })
    await addItem(server.client, 'ranked', { title: 't4' })
    for (const to of [4, 5]) await addItem(server.client, 'refers', { to })
    expect(await ranks('in-order')).toEqual([3, 2, 1, -1, null])
    expect(await ranks('first-two')).toEqual([3, 2])
    expect(await ranks('filtered')).toEqual([3, 2, 1, -1, null])
    expect(await ranks('along')).toEqual([-1, 1, 2, 3, null])
    expect(await ranks('by-title')).toEqual([3, -1, 2, 1, null])
    expect(await ranks('ranked', { order: 'rank' })).toEqual([-1, 1, 2, 3, null])
    const order = await server.items('refers', { order: '-to.rank' })
    expect(order.map(({ id }) => id)).toEqual([1, 3, 4, 2, 5])
    await server.restart()
    expect(await ranks('in-order')).toEqual([3, 2, 1, -1, null])
    expect(await ranks('filtered')).toEqual([3, 2, 1, -1, null])
  })
})
