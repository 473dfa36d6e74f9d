// @module-tag engines

import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  by,
  image,
  size,
  stars,
  startPeopleServer,
  title,
  type PeopleServer,
} from './people-server.ts'
import { png } from './photos.ts'

let server: PeopleServer

beforeAll(async () => {
  server = await startPeopleServer()
})

afterAll(() => server.close())

describe('each extension', () => {
  const before = [title, size, image, by]
  const photo = { title: 'Kauri', size: 'M', image: new Blob([png], { type: 'image/png' }) }
  let name: string
  let made = 0

  async function begun(): Promise<void> {
    made += 1
    name = `each-${made}`
    await server.create(name, before)
    await addItem(server.client, name, photo)
  }

  test('adds fields of every type, and items have none of them', async () => {
    await begun()
    const [old] = await server.items(name)
    const added = [
      stars,
      { name: 'note', type: 'string', length: 50, optional: true },
      { name: 'real', type: 'number', optional: true },
      { name: 'flag', type: 'boolean', optional: true },
      { name: 'day', type: 'date', optional: true },
      { name: 'at', type: 'timestamp', optional: true },
      { name: 'more', type: 'json', optional: true },
      { name: 'thumb', type: 'binary', mime: 'image/*', optional: true },
      { name: 'seen', type: 'reference', target: 'people', optional: true },
    ]
    const info = await server.extend(name, [...before, ...added])
    expect(info).toMatchObject({ name, schema: [...before, ...added], referencesTo: ['people'] })
    expect(info).toMatchObject({ repo: { schema: [...before, ...added] } })
    expect(await server.items(name)).toEqual([old])
    const id = await addItem(server.client, name, {
      ...photo,
      stars: 5,
      note: 'ß',
      real: 0.5,
      flag: true,
      day: '2026-11-22',
      at: '2026-11-22T15:04:05Z',
      more: '{"a":[1]}',
      thumb: new Blob([png], { type: 'image/png' }),
      seen: 2,
    })
    const { data, integrity } = await server.client.datasetItemGet({ datasetId: name, itemId: id })
    expect(data).toMatchObject({
      stars: 5,
      note: 'ß',
      real: 0.5,
      flag: true,
      day: '2026-11-22',
      at: '2026-11-22T15:04:05Z',
      more: { a: [1] },
      seen: 2,
    })
    expect(Object.keys(integrity!)).toHaveLength(12)
    const first = await server.client.datasetItemGet({ datasetId: name, itemId: 1 })
    expect(Object.keys(first.integrity!)).toEqual(['title', 'size', 'image'])
    await expect(
      server.client.datasetFieldGet({ datasetId: name, itemId: 1, fieldName: 'stars' }),
    ).rejects.toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  })

  test('lets texts be longer, choices more, media types others, and values missing', async () => {
    await begun()
    await server.extend(name, [
      { ...title, length: 200, optional: true },
      { ...size, choices: ['S', 'M', 'XL'] },
      { ...image, mime: 'image/*', optional: true },
      by,
    ])
    await addItem(server.client, name, { title: 'x'.repeat(200), size: 'XL' })
    const other = new Blob([png], { type: 'image/any' })
    await addItem(server.client, name, { size: 'S', image: other })
    expect(await server.dataOf(name, { order: 'size' })).toMatchObject([
      { size: 'S' },
      { size: 'M', title: 'Kauri' },
      { size: 'XL', title: 'x'.repeat(200) },
    ])
    expect((await server.dataOf(name))[2]).not.toHaveProperty('title')
  })

  test('changes what a repository says of itself, and takes it away', async () => {
    await begun()
    const said = {
      description: 'Trees',
      label: 'title',
      cover: 'image',
      license: 'CC0-1.0',
      source: 'https://example.org/',
      readme: `# Trees\n\n${'é'.repeat(30_000)}`,
    }
    const info = await server.extend(name, before, said)
    expect(info).toMatchObject({ description: 'Trees', repo: { name, ...said } })
    expect(await server.client.datasetGet({ datasetId: name })).toEqual(info)
    // What is created may say the same.
    await server.create(`${name}-copy`, before, said)
    const unsaid = await server.extend(name, before)
    expect(unsaid.repo).toEqual({ name, schema: before })
  })

  test('changes nothing when it is repeated', async () => {
    await begun()
    const info = await server.extend(name, [...before, stars])
    expect(await server.extend(name, [...before, stars])).toEqual(info)
    const again = server.client.repoCreate({ body: { name, schema: [...before, stars] } })
    expect(await again).toEqual(info)
  })

  test.each<[string, object[], object[]]>([
    [
      'a field less',
      [title, size, image],
      [{ field: 'by', change: 'removed', reason: 'items have it' }],
    ],
    [
      'a new required field, and a shorter text',
      [{ ...title, length: 5 }, size, image, by, { name: 'stars', type: 'integer' }],
      [
        { field: 'title', change: 'length 5 instead of 20', reason: 'values may be longer' },
        {
          field: 'stars',
          change: 'new integer',
          reason: 'items that are there have no value: make it optional',
        },
      ],
    ],
    [
      'another type',
      [{ name: 'title', type: 'date' }, size, image, by],
      [
        {
          field: 'title',
          change: 'type date instead of string',
          reason: 'values stay what they are',
        },
      ],
    ],
    [
      'choices in another order',
      [title, { ...size, choices: ['M', 'S'] }, image, by],
      [expect.objectContaining({ field: 'size' })],
    ],
  ])('is refused with the differences: %s', async (_, schema, differences) => {
    await begun()
    const info = await server.client.datasetGet({ datasetId: name })
    await expect(server.extend(name, schema)).rejects.toMatchObject({
      status: 409,
      code: 'EXTENSION_REFUSED',
      body: { ...info, details: { differences } },
    })
    expect(await server.client.datasetGet({ datasetId: name })).toEqual(info)
  })

  test('is refused for another name, a view, an unknown repository or an invalid schema', async () => {
    await begun()
    await expect(
      server.client.repoExtend({ datasetId: name, body: { name: 'other', schema: before } }),
    ).rejects.toMatchObject({ code: 'EXTENSION_REFUSED' })
    await server.view(`${name}-view`, name)
    await expect(server.extend(`${name}-view`, before)).rejects.toMatchObject({
      code: 'REPO_NOT_FOUND',
    })
    await expect(server.extend('nowhere', before)).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' })
    await expect(server.extend(name, [])).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    const unknown = { name: 'to', type: 'reference', target: 'peple', optional: true }
    await expect(server.extend(name, [...before, unknown])).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      body: { details: { problems: [{ path: ['schema', 4, 'target'], nearest: 'people' }] } },
    })
  })
})

test('a new reference may target its own repository, but no dataset that refers to it', async () => {
  await server.create('circle', [title])
  await server.create('pointing', [{ name: 'to', type: 'reference', target: 'circle' }])
  await server.view('round', 'pointing')
  for (const target of ['pointing', 'round']) {
    const back = { name: 'back', type: 'reference', target, optional: true }
    await expect(server.extend('circle', [title, back])).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      body: { details: { problems: [{ path: ['schema', 1, 'target'] }] } },
    })
  }
  const self = { name: 'like', type: 'reference', target: 'circle', optional: true }
  await server.extend('circle', [title, self])
  await addItem(server.client, 'circle', { title: 'first' })
  await addItem(server.client, 'circle', { title: 'second', like: 1 })
  expect(await server.dataOf('circle', { where: { 'like.title': { eq: 'first' } } })).toEqual([
    { title: 'second', like: 1 },
  ])
})
