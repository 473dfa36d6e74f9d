import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  await client.repoCreate({ body: { name: 'regions', schema: [{ name: 'name', type: 'string' }] } })
  await client.repoCreate({
    body: {
      name: 'countries',
      schema: [
        { name: 'name', type: 'string' },
        { name: 'region', type: 'reference', target: 'regions' },
        { name: 'flag', type: 'binary', mime: 'image/*', optional: true },
        { name: 'motto', type: 'string', optional: true },
      ],
    },
  })
  await addItem(client, 'regions', { name: 'Oceania' })
  await addItem(client, 'countries', { name: 'Aotearoa', region: 1, motto: 'Onward' })
  await addItem(client, 'countries', { name: 'Sāmoa', region: 1 })
})

afterAll(() => server.close())

const create = (body: object) => server.client.viewCreate({ body })

test('a view picks and renames fields, and a view on it does so again', async () => {
  const { client } = server
  const info = await create({
    name: 'places',
    base: 'countries',
    fields: ['region', { name: 'title', from: 'name' }, { name: 'saying', from: 'motto' }],
  })
  expect(info).toMatchObject({
    name: 'places',
    schema: [
      { name: 'region', type: 'reference', target: 'regions' },
      { name: 'title', type: 'string', length: 10_000 },
      { name: 'saying', type: 'string', length: 10_000, optional: true },
    ],
    view: { name: 'places', base: 'countries' },
    referencesTo: ['countries', 'regions'],
    referencedBy: [],
  })
  expect(info.repo).toBe(undefined)
  await create({ name: 'all-places', base: 'places' })
  await create({
    name: 'names',
    base: 'all-places',
    fields: [{ name: 'label', from: 'title' }],
  })
  await create({ name: 'unsaid', base: 'all-places', fields: { except: ['saying', 'region'] } })

  const [first, second] = await client.datasetItemList({ datasetId: 'places' })
  expect(first).toEqual({ id: 1, data: { region: 1, title: 'Aotearoa', saying: 'Onward' } })
  expect(second).toEqual({ id: 2, data: { region: 1, title: 'Sāmoa' } })
  expect(await client.datasetItemList({ datasetId: 'names' })).toEqual([
    { id: 1, data: { label: 'Aotearoa' } },
    { id: 2, data: { label: 'Sāmoa' } },
  ])
  expect(await client.datasetItemList({ datasetId: 'unsaid', page: 1, pageSize: 1 })).toEqual([
    { id: 2, data: { title: 'Sāmoa' } },
  ])
  expect(await client.datasetCount({ datasetId: 'names' })).toEqual({ totalItems: 2 })

  const inBase = await client.datasetItemGet({ datasetId: 'countries', itemId: 1 })
  const inView = await client.datasetItemGet({ datasetId: 'names', itemId: 1 })
  expect(inView.integrity).toEqual({ label: inBase.integrity?.['name'] })
  const value = await client.datasetFieldGet({ datasetId: 'names', itemId: 2, fieldName: 'label' })
  expect(await value.text()).toBe('Sāmoa')
  await expect(
    client.datasetFieldGet({ datasetId: 'names', itemId: 2, fieldName: 'title' }),
  ).rejects.toMatchObject({ code: 'FIELD_NOT_IN_SCHEMA' })
})

test('an item added to the base is in the view', async () => {
  const { client } = server
  await create({ name: 'later', base: 'regions' })
  expect(await client.datasetCount({ datasetId: 'later' })).toEqual({ totalItems: 1 })
  const id = await addItem(client, 'regions', { name: 'Europe' })
  expect(await client.datasetItemList({ datasetId: 'later', page: 1, pageSize: 1 })).toEqual([
    { id, data: { name: 'Europe' } },
  ])
})

test('a reference may be to an item of a view', async () => {
  const { client } = server
  await create({ name: 'continents', base: 'regions' })
  await client.repoCreate({
    body: { name: 'seas', schema: [{ name: 'at', type: 'reference', target: 'continents' }] },
  })
  const id = await addItem(client, 'seas', { at: 1 })
  const sea = await client.datasetItemGet({ datasetId: 'seas', itemId: id })
  expect(sea.data).toEqual({ at: 1 })
  await expect(addItem(client, 'seas', { at: 99 })).rejects.toMatchObject({
    code: 'DATA_NOT_CONFORMING',
  })
})

test('the same definition again changes nothing; another is refused with what is there', async () => {
  const first = await create({ name: 'again', base: 'regions', fields: ['name'] })
  const again = await server.request('/api/view', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'again',
      base: 'regions',
      description: 'other words',
      fields: [{ name: 'name', from: 'name' }],
    }),
  })
  expect(again.status).toBe(200)
  expect(await again.json()).toEqual(first)
  await expect(create({ name: 'again', base: 'countries' })).rejects.toMatchObject({
    status: 409,
    code: 'VIEW_NAME_TAKEN',
    message: 'a view with the same name exists with a different definition',
    body: first,
  })
})

test('repositories and views share one namespace', async () => {
  const reason = '"regions" is the name of a repository with another definition'
  await expect(create({ name: 'regions', base: 'countries' })).rejects.toMatchObject({
    code: 'VIEW_NAME_TAKEN',
    body: { details: { problems: [{ path: ['name'], reason }] }, repo: { name: 'regions' } },
  })
  await create({ name: 'taken', base: 'regions' })
  await expect(
    server.client.repoCreate({ body: { name: 'taken', schema: [{ name: 'a', type: 'string' }] } }),
  ).rejects.toMatchObject({ code: 'REPO_NAME_TAKEN', body: { view: { base: 'regions' } } })
})

test('lists are newest first and name the base', async () => {
  const views = await server.client.viewList({})
  expect(views[0]).toMatchObject({ name: 'taken', base: 'regions' })
  const moments = views.map(({ createdAt }) => createdAt)
  expect(moments).toEqual(moments.toSorted().toReversed())
  const repos = await server.client.repoList({})
  expect(repos.map(({ name }) => name)).toEqual(['seas', 'countries', 'regions'])
  const datasets = await server.client.datasetList({ pageSize: 1000 })
  expect(datasets).toHaveLength(views.length + repos.length)
  expect(await server.client.datasetList({ page: 1, pageSize: 2 })).toEqual(datasets.slice(2, 4))
})
