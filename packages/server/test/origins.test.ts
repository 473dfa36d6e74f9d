import { addItem, fetchItemProof } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let source: TestServer
let server: TestServer

const schema = [{ name: 'word', type: 'string', length: 20 }]

beforeAll(async () => {
  source = await startTestServer()
  server = await startTestServer()
  for (const { client } of [source, server]) {
    await client.repoCreate({ body: { name: 'words', schema } })
  }
  await source.client.insertBegin({ datasetId: 'words' })
  for (const word of ['one', 'two', 'three']) await addItem(source.client, 'words', { word })
  for (const word of ['own', 'one', 'two', 'three']) await addItem(server.client, 'words', { word })
})

afterAll(async () => {
  await source.close()
  await server.close()
})

/** Returns the log of the source, as a bundle would declare it. */
async function told() {
  const { client } = source
  const key = (await (await client.logVerifierKey({ datasetId: 'words' })).text()).trim()
  const items = await client.datasetItemList({ datasetId: 'words' })
  const proofs = await Promise.all(
    items.map(({ id }) => fetchItemProof(client, { datasetId: 'words', itemId: id, size: 3 })),
  )
  return { key, checkpoint: proofs[0]!.checkpoint, entries: proofs.map(({ entry }) => entry) }
}

const add = (body: object) => server.client.originAdd({ datasetId: 'words', body })

test('items tell where they come from, once somebody who added them has said so', async () => {
  const said = await told()
  const { client } = server
  expect(await client.datasetProvenance({ datasetId: 'words' })).not.toHaveProperty('origins')
  await add({ from: 1, ...said })
  await add({ from: 1, ...said })
  const [origin] = said.key.split('+')
  const log = { origin, size: 3, key: said.key }
  const { origins } = await client.datasetProvenance({ datasetId: 'words' })
  expect(origins).toEqual([{ ...log, checkpoint: said.checkpoint, items: 3 }])
  const items = await client.datasetItemList({ datasetId: 'words' })
  const found = await Promise.all(
    items.map(({ id }) => client.datasetItemAuthor({ datasetId: 'words', itemId: id })),
  )
  expect(found[0]).toEqual({ author: { subject: 'alice' } })
  const two = await source.client.datasetItemGet({ datasetId: 'words', itemId: 3 })
  expect(found[2]).toEqual({
    author: { subject: 'alice' },
    origin: { ...log, id: 3, createdAt: two.createdAt, by: 'alice' },
  })
})

test('an origin with an invalid range, key, checkpoint or entry is refused', async () => {
  const said = await told()
  const refused = { code: 'REQUEST_INVALID' }
  await expect(add({ from: 2, ...said })).rejects.toMatchObject(refused)
  const other = (await (await server.client.logVerifierKey({ datasetId: 'words' })).text()).trim()
  const path = async (body: object) => {
    const error = await add(body).catch((thrown: unknown) => thrown)
    return (error as { body: { details: { problems: { path: unknown[] }[] } } }).body.details
      .problems[0]!.path
  }
  expect(await path({ from: 9, ...said })).toEqual(['from'])
  expect(await path({ from: 0, ...said, key: other })).toEqual(['checkpoint'])
  expect(await path({ from: 0, ...said, key: 'x' })).toEqual(['key'])
  expect(await path({ from: 0, ...said, checkpoint: 'x' })).toEqual(['checkpoint'])
  expect(await path({ from: 0, ...said, entries: ['{}'] })).toEqual(['entries', 0])
})

test('a repository that is deleted takes it along', async () => {
  await server.client.repoCreate({ body: { name: 'gone', schema } })
  await addItem(server.client, 'gone', { word: 'one' })
  const { entries, ...said } = await told()
  const body = { from: 0, ...said, entries: entries.slice(0, 1) }
  await server.client.originAdd({ datasetId: 'gone', body })
  await server.client.repoDelete({ datasetId: 'gone' })
  await server.client.repoCreate({ body: { name: 'gone', schema } })
  expect(await server.client.datasetProvenance({ datasetId: 'gone' })).not.toHaveProperty('origins')
})
