import { createHash } from 'node:crypto'
import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest('hex')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: {
      name: 'files',
      schema: [
        { name: 'file', type: 'binary', mime: 'image/*' },
        { name: 'title', type: 'string', optional: true },
        { name: 'next', type: 'reference', target: 'files', optional: true },
      ],
    },
  })
  await addItem(server.client, 'files', { file: new Blob([png], { type: 'image/png' }) })
  await addItem(server.client, 'files', {
    file: new Blob([svg], { type: 'image/svg+xml' }),
    title: '<script>ü</script>',
    next: 1,
  })
})

afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.request(`/api/dataset/files/item/${path}`, { headers, method })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a picture is shown in place, and nothing in it runs', async () => {
  const response = await get('1/file')
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png.length),
    'content-disposition': 'inline; filename="files-1-file.png"',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: `"${sha256(png)}"`,
  })
  expect(await bytesOf(response)).toEqual(png)
})

test('an SVG is served as a sandboxed download', async () => {
  const response = await get('2/file')
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="files-2-file.svg"',
  )
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(await bytesOf(response)).toEqual(svg)
})

test('a text and a reference are plain text', async () => {
  for (const [field, text] of [
    ['title', '<script>ü</script>'],
    ['next', '1'],
  ] as const) {
    const response = await get(`2/${field}`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(response.headers.get('etag')).toBe(`"${sha256(text)}"`)
    expect(await response.text()).toBe(text)
  }
  const part = await get('2/title', { range: 'bytes=1-6' })
  expect(part.status).toBe(206)
  expect(await part.text()).toBe('script')
})

test('an unknown dataset, item or field is refused', async () => {
  expect(await bodyOf(await get('1/title'))).toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  expect(await bodyOf(await get('9/file'))).toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  expect(await bodyOf(await get('1/__proto__'))).toMatchObject({ code: 'FIELD_NOT_IN_SCHEMA' })
  expect(await bodyOf(await server.request('/api/dataset/none/item/1/file'))).toMatchObject({
    code: 'DATASET_NOT_FOUND',
  })
})

test('HEAD tells all but the bytes', async () => {
  const response = await get('1/file', {}, 'HEAD')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(png.length))
  expect(response.headers.get('etag')).toBe(`"${sha256(png)}"`)
  expect(await response.text()).toBe('')
})

describe('a value that the browser has cached', () => {
  test.for([`"${sha256(png)}"`, `W/"${sha256(png)}"`, `"x", "${sha256(png)}"`, '*'])(
    'If-None-Match: %s is not sent again',
    async (header) => {
      const response = await get('1/file', { 'if-none-match': header })
      expect(response.status).toBe(304)
      expect(response.headers.get('etag')).toBe(`"${sha256(png)}"`)
      expect(await response.text()).toBe('')
    },
  )

  test('If-None-Match with another digest is sent again', async () => {
    expect((await get('1/file', { 'if-none-match': `"${sha256(svg)}"` })).status).toBe(200)
  })
})

describe('ranges', () => {
  const size = png.length
  test.for([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=10-', 10, size - 1],
    ['bytes=-5', size - 5, size - 1],
    [`bytes=0-${size * 2}`, 0, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ] as const)('%s', async ([range, start, end]) => {
    const response = await get('1/file', { range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
    expect(response.headers.get('content-length')).toBe(String(end - start + 1))
    expect(await bytesOf(response)).toEqual(png.subarray(start, end + 1))
  })

  test.for([`bytes=${size}-`, 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s cannot be',
    async (range) => {
      const response = await get('1/file', { range })
      expect(response.status).toBe(416)
      expect(response.headers.get('content-range')).toBe(`bytes */${size}`)
      expect(await bodyOf(response)).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
    },
  )

  test.for(['bytes=5-1', 'bytes=0-1,3-4', 'items=0-1', 'bytes=-', 'bytes=a-b', ''])(
    '%s is as if it were not there',
    async (range) => {
      const response = await get('1/file', { range })
      expect(response.status).toBe(200)
      expect(await bytesOf(response)).toEqual(png)
    },
  )

  test('a range of another version is not wanted', async () => {
    expect((await get('1/file', { range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
    const same = await get('1/file', { range: 'bytes=0-1', 'if-range': `"${sha256(png)}"` })
    expect(same.status).toBe(206)
  })
})

test('bytes that are gone are an error of ours that tells nothing of where', async () => {
  await (await server.blobs.open()).remove(sha256(svg))
  const response = await get('2/file')
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('etag')).toBe(null)
  expect(await response.json()).toEqual({
    code: 'VALUE_DAMAGED',
    message: 'the stored value is damaged',
  })
})
