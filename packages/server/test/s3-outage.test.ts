// @module-tag whole
// @module-tag blobs

import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Proxy, type S3Proxy } from './s3-proxy.ts'
import { startTestServer, type TestServer } from './server.ts'
import { isOnS3, ownS3Url } from './test-blobs.ts'

describe.skipIf(!isOnS3)('while S3 is down', () => {
  let proxy: S3Proxy
  let server: TestServer

  beforeAll(async () => {
    proxy = await startS3Proxy()
    server = await startTestServer({ VITRINE_BLOB_URL: ownS3Url(proxy.endpoint) })
    await server.client.repoCreate({
      body: {
        name: 'files',
        schema: [
          { name: 'title', type: 'string', length: 20 },
          { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
        ],
      },
    })
    await add('first', 'its bytes')
    proxy.fault = () => 'internal'
  })

  afterAll(async () => {
    await server.close()
    await proxy.close()
  })

  const add = (title: string, bytes?: string) => {
    const file = bytes !== undefined && { file: new Blob([bytes], { type: 'text/plain' }) }
    return addItem(server.client, 'files', { title, ...file })
  }
  const readFile = () => server.request('/api/dataset/files/item/1/file')

  test('its bytes are refused for a while, and nobody is told that they are lost', async () => {
    const response = await readFile()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({
      code: 'STORAGE_UNAVAILABLE',
      message: 'storage is unavailable',
    })
    await expect(add('second', 'other bytes')).rejects.toMatchObject({
      status: 503,
      code: 'STORAGE_UNAVAILABLE',
    })
  })

  test('everything that needs no bytes goes on', async () => {
    await add('third')
    const items = await server.client.datasetItemList({ datasetId: 'files' })
    expect(items.map(({ data }) => data['title'])).toEqual(['first', 'third'])
  })

  test('all is well when it is up again', async () => {
    proxy.fault = () => undefined
    expect(await (await readFile()).text()).toBe('its bytes')
    await add('second', 'other bytes')
  })
})
