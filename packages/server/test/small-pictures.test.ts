import { readFileSync } from 'node:fs'
import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listDamage } from '../src/store/damage.ts'
import { bodyOf } from './body-of.ts'
import { sha256 } from './photos.ts'
import { blankPng, photograph } from './pictures.ts'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let photo: Buffer<ArrayBuffer>

beforeAll(async () => {
  photo = await photograph({ width: 900, height: 600 })
  server = await startTestServer()
  await server.client.repoCreate({
    body: {
      name: 'photos',
      schema: [
        { name: 'file', type: 'binary', mime: 'image/*' },
        { name: 'title', type: 'string', optional: true },
      ],
    },
  })
})

afterAll(() => server.close())

const add = (bytes: Buffer<ArrayBuffer>, type = 'image/jpeg') =>
  addItem(server.client, 'photos', { file: new Blob([bytes], { type }), title: 'a title' })

const get = (path: string, headers: Record<string, string> = {}) =>
  server.request(`/api/dataset/photos/item/${path}`, { headers })

async function pictureOf(id: number, width: number) {
  const response = await get(`${id}/file/small?width=${width}`)
  expect(response.status).toBe(200)
  return sharp(Buffer.from(await response.arrayBuffer()))
}

test('a photograph is a small picture of each width, with nothing in it but the picture', async () => {
  const id = await add(photo)
  for (const [asked, width, height] of [
    [96, 96, 64],
    [256, 256, 171],
    [512, 512, 341],
    // None is enlarged.
    [1024, 900, 600],
  ] as const) {
    const { format, exif, icc, ...picture } = await (await pictureOf(id, asked)).metadata()
    expect([format, picture.width, picture.height]).toEqual(['webp', width, height])
    expect([exif, icc]).toEqual([undefined, undefined])
  }
})

test('its headers are those of a value, with a tag of its own', async () => {
  const id = await add(photo)
  const path = `${id}/file/small?width=96`
  const etag = `"${sha256(photo)}-96"`
  const response = await get(path)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    etag,
  })
  const bytes = await response.arrayBuffer()
  expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
  const again = await get(path, { 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await get(path, { 'if-none-match': `"${sha256(photo)}"` })).status).toBe(200)
})

test('a photograph with an orientation is turned upright', async () => {
  const id = await add(await photograph({ width: 400, height: 200, orientation: 6 }))
  const { width, height, orientation } = await (await pictureOf(id, 96)).metadata()
  expect([width, height, orientation]).toEqual([48, 96, undefined])
})

test.for(['png', 'webp', 'gif', 'avif', 'tiff'] as const)(
  'there is one of a %s',
  async (format) => {
    const bytes = await sharp(photo).resize(150).toFormat(format).toBuffer()
    const id = await add(Buffer.from(bytes), `image/${format}`)
    const { width, height } = await (await pictureOf(id, 96)).metadata()
    expect([width, height]).toEqual([96, 64])
  },
)

test('a PNG that is small already keeps every pixel', async () => {
  const dots = await sharp(photo).resize(40).png().toBuffer()
  const id = await add(Buffer.from(dots), 'image/png')
  const seen = await (await pictureOf(id, 96)).removeAlpha().raw().toBuffer()
  expect(seen.equals(await sharp(dots).raw().toBuffer())).toBe(true)
})

test('a view has them under its own names', async () => {
  const id = await add(photo)
  await server.client.viewCreate({
    body: { name: 'shown', base: 'photos', fields: [{ name: 'picture', from: 'file' }] },
  })
  const path = `/api/dataset/shown/item/${id}/picture/small?width=96`
  expect((await server.request(path)).headers.get('content-type')).toBe('image/webp')
})

describe('no small picture is made', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const jpeg = Buffer.from('\xff\xd8\xff\xe0', 'latin1')
  const largeAvif = readFileSync(new URL('./30-megapixels.avif', import.meta.url))
  test.for([
    ['of an SVG', svg, 'image/svg+xml', 415, 'PICTURE_UNSUPPORTED'],
    ['of another media type', Buffer.from('BM'), 'image/bmp', 415, 'PICTURE_UNSUPPORTED'],
    [
      'of what only begins as one',
      Buffer.concat([jpeg, svg]),
      'image/jpeg',
      422,
      'PICTURE_UNREADABLE',
    ],
    [
      'of a file that unpacks too far',
      blankPng(50_000, 50_000),
      'image/png',
      422,
      'PICTURE_TOO_LARGE',
    ],
    // 713 bytes, for which 570 MB of memory would be taken.
    ['of an AVIF that takes too much memory', largeAvif, 'image/avif', 422, 'PICTURE_TOO_LARGE'],
  ] as const)('%s', async ([, bytes, type, status, code]) => {
    const id = await add(bytes, type)
    const response = await get(`${id}/file/small?width=96`)
    expect(response.status).toBe(status)
    expect(await bodyOf(response)).toMatchObject({ code })
    expect(response.headers.get('etag')).toBe(null)
  })

  test('of an SVG that is stored with another media type', async () => {
    const id = await add(svg, 'image/svg+xml')
    await server.database.use(({ write }) =>
      write((transaction) =>
        sql`update items_1 set f0_mime = 'image/avif' where id = ${id}`.execute(transaction),
      ),
    )
    const response = await get(`${id}/file/small?width=96`)
    expect(response.status).toBe(422)
    expect(await bodyOf(response)).toMatchObject({ code: 'PICTURE_UNREADABLE' })
  })

  test('of a truncated picture', async () => {
    const id = await add(photo.subarray(0, photo.length / 2))
    const response = await get(`${id}/file/small?width=96`)
    expect(await bodyOf(response)).toMatchObject({ code: 'PICTURE_UNREADABLE' })
  })

  test('of a file of more than 64 MiB', { tags: 'long' }, async () => {
    const id = await add(Buffer.concat([photo, Buffer.alloc(64 * 1024 ** 2)]))
    const response = await get(`${id}/file/small?width=96`)
    expect(await bodyOf(response)).toMatchObject({ code: 'PICTURE_TOO_LARGE' })
  })

  test('of a text, an unknown field or item, or with an invalid width', async () => {
    const id = await add(png, 'image/png')
    const codeOf = async (path: string) => (await bodyOf(await get(path))).code
    expect(await codeOf(`${id}/title/small?width=96`)).toBe('PICTURE_UNSUPPORTED')
    expect(await codeOf(`${id}/none/small?width=96`)).toBe('FIELD_NOT_IN_SCHEMA')
    expect(await codeOf('999/file/small?width=96')).toBe('DATASET_OR_ITEM_NOT_FOUND')
    expect(await codeOf(`${id}/file/small?width=97`)).toBe('QUERY_INVALID')
    expect(await codeOf(`${id}/file/small`)).toBe('QUERY_INVALID')
  })

  test('of a file with a changed byte, which is noted as damage', async () => {
    const other = await photograph({ width: 200, height: 100 })
    const id = await add(other)
    const changed = Buffer.from(other)
    changed[changed.length - 100]! ^= 1
    await server.blobs.put(sha256(other), changed)
    const response = await get(`${id}/file/small?width=96`)
    expect(response.status).toBe(500)
    expect(await bodyOf(response)).toMatchObject({ code: 'VALUE_DAMAGED' })
    const what = 'its bytes are not those of its digest'
    const noted = await server.database.use(({ reads }) => listDamage(reads, 10))
    expect(noted).toMatchObject([{ sha256: sha256(other), what }])
  })
})

test('a server without what makes them announces none, and answers none', async () => {
  const plain = await startTestServer(
    {},
    { openPictures: async () => new Error('of another kind') },
  )
  try {
    const { features } = (await (await plain.request('/config.json')).json()) as {
      features: string[]
    }
    expect(features).not.toContain('small-pictures')
    const response = await plain.request('/api/dataset/photos/item/1/file/small?width=96')
    expect(await bodyOf(response)).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
  } finally {
    await plain.close()
  }
})
