import { addItem, deleteDataset } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FinalReplies, JsonText } from '../src/http/final-replies.ts'
import { type TestServer, startTestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

/** Asks for a value, and tells whether it had to be made. */
async function isMade(replies: FinalReplies, key: string, value: unknown, isFinal?: true) {
  let made = false
  await replies.find(key, async () => {
    made = true
    return { value, ...(isFinal && { isFinal }) }
  })
  return made
}

test('a final reply is made once and cached, any other is made each time', async () => {
  const replies = new FinalReplies()
  const find = () => replies.find('a', async () => ({ value: [1], isFinal: true }))
  expect((await find()).value).toEqual(new JsonText([1]))
  expect((await find()).value).toEqual(new JsonText([1]))
  expect(await isMade(replies, 'a', [2], true)).toBe(false)
  expect(await isMade(replies, 'b', [])).toBe(true)
  expect(await isMade(replies, 'b', [])).toBe(true)
})

test('the least recently used replies are evicted first', async () => {
  const replies = new FinalReplies()
  const long = 'x'.repeat(3 * 1024 ** 2)
  for (const key of ['a', 'b', 'a', 'c']) await isMade(replies, key, long, true)
  expect(await isMade(replies, 'a', long, true)).toBe(false)
  expect(await isMade(replies, 'c', long, true)).toBe(false)
  expect(await isMade(replies, 'b', long, true)).toBe(true)
})

test('a reply that is longer than the cache is made each time, and drops no other', async () => {
  const replies = new FinalReplies()
  await isMade(replies, 'a', 'short', true)
  const long = 'x'.repeat(5 * 1024 ** 2)
  for (let times = 0; times < 3; times += 1) {
    expect(await isMade(replies, 'long', long, true)).toBe(true)
  }
  expect(await isMade(replies, 'a', 'short', true)).toBe(false)
})

test('a page is read again until it is full', async () => {
  const { client } = server
  await client.repoCreate({ body: { name: 'words', schema: [{ name: 'word', type: 'string' }] } })
  const page = async () =>
    (await client.datasetItemList({ datasetId: 'words', pageSize: 2 })).map(({ data }) => data.word)
  expect(await page()).toEqual([])
  await addItem(client, 'words', { word: 'tūī' })
  expect(await page()).toEqual(['tūī'])
  await addItem(client, 'words', { word: 'kererū' })
  expect(await page()).toEqual(['tūī', 'kererū'])
  await addItem(client, 'words', { word: 'weka' })
  expect(await page()).toEqual(['tūī', 'kererū'])
})

test('an order and a limit are read again when items come in between', async () => {
  const { client } = server
  await client.viewCreate({ body: { name: 'first', base: 'words', order: ['word'], limit: 2 } })
  const read = async () =>
    (await client.datasetItemList({ datasetId: 'first', pageSize: 2 })).map(({ data }) => data.word)
  await expect.poll(read).toEqual(['kererū', 'tūī'])
  const { id } = await client.datasetItemGet({ datasetId: 'first', itemId: 1 })
  expect(id).toBe(1)
  await addItem(client, 'words', { word: 'hihi' })
  await expect.poll(read).toEqual(['hihi', 'kererū'])
  await expect(client.datasetItemGet({ datasetId: 'first', itemId: 1 })).rejects.toMatchObject({
    code: 'DATASET_OR_ITEM_NOT_FOUND',
  })
})

test('a name that is given again is answered anew', async () => {
  const { client } = server
  for (const word of ['first', 'second']) {
    const schema = [{ name: 'word', type: 'string' }]
    await client.repoCreate({ body: { name: 'again', schema } })
    await addItem(client, 'again', { word })
    for (let times = 0; times < 2; times += 1) {
      const [item] = await client.datasetItemList({ datasetId: 'again', pageSize: 1 })
      expect(item?.data).toEqual({ word })
      expect(await client.datasetItemGet({ datasetId: 'again', itemId: 1 })).toMatchObject(item!)
    }
    await deleteDataset(client, await client.datasetGet({ datasetId: 'again' }))
    await expect(client.datasetItemGet({ datasetId: 'again', itemId: 1 })).rejects.toMatchObject({
      code: 'DATASET_NOT_FOUND',
    })
  }
})

test('kept and new replies are the same to the byte, and HEAD has their headers', async () => {
  const path = '/api/dataset/words/item?pageSize=2&page=0'
  const [first, again] = [await server.request(path), await server.request(path)]
  const told = ({ status, headers }: Response) => [
    status,
    ...['content-type', 'content-length', 'cache-control'].map((name) => headers.get(name)),
  ]
  expect(told(again)).toEqual(told(first))
  expect(told(first)).toContain('application/json; charset=utf-8')
  expect(await again.text()).toBe(await first.text())
  expect(told(await server.request(path, { method: 'HEAD' }))).toEqual(told(first))
})
