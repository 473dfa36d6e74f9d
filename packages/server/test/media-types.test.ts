import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addItem } from '@vitrine/client'
import { png } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const box = (brand: string) => latin1(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`)
const oggOf = (codec: string) => latin1(`OggS\0\x02${'\0'.repeat(22)}${codec}${'\0'.repeat(40)}`)
const svg = '<?xml version="1.0"?>\n<!-- a circle -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
const ebml = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex')

/** The first bytes of a value of each type. */
const heads: Record<string, Uint8Array> = {
  'image/png': png,
  'image/jpeg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'image/gif': latin1('GIF89a'),
  'image/webp': latin1('RIFF\0\0\0\0WEBPVP8 '),
  'image/avif': box('avif'),
  'image/heic': box('heic'),
  'image/tiff': latin1('II*\0\x08\0\0\0\0\0'),
  'image/bmp': latin1('BM\x46\0\0\0\0\0\0\0'),
  'image/x-icon': Buffer.from('000001000100', 'hex'),
  'image/jxl': Buffer.from('0000000c4a584c200d0a870a', 'hex'),
  'image/jp2': Buffer.from(
    '0000000c6a5020200d0a870a00000014667479706a703220000000006a703220',
    'hex',
  ),
  'image/svg+xml': latin1(svg),
  'image/svg+xml-compressed': gzipSync(svg),
  'audio/wav': latin1('RIFF\0\0\0\0WAVEfmt '),
  'audio/flac': latin1('fLaC\0\0\0\x22'),
  'audio/ogg': oggOf('\x01vorbis'),
  'audio/mpeg': Buffer.from('fffb9064', 'hex'),
  'video/mp4': box('isom'),
  'video/webm': ebml,
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  for (const family of ['image', 'audio', 'video']) {
    const schema = [{ name: 'file', type: 'binary', mime: `${family}/*` }]
    await server.client.repoCreate({ body: { name: family, schema } })
  }
})
afterAll(() => server.close())

/** Adds bytes to the repository of a family. @returns the media type that they have then */
async function add(family: string, bytes: Uint8Array, type = 'application/octet-stream') {
  const file = new Blob([new Uint8Array(bytes)], { type })
  const itemId = await addItem(server.client, family, { file })
  const { integrity } = await server.client.datasetItemGet({ datasetId: family, itemId })
  return integrity!['file']
}

test.each(Object.entries(heads))('%s is told by its first bytes', async (mime, bytes) => {
  const family = mime.slice(0, 5)
  const value = await add(family, bytes)
  expect(value).toMatchObject({ mime })
  const others = ['image', 'audio', 'video'].filter((each) => each !== family)
  for (const other of others) await expect(add(other, bytes)).rejects.toThrow()
})

describe('bytes that contradict their media type are refused', () => {
  test.each([
    ['image/tiff', 'image/png'],
    ['image/png', 'image/jpeg'],
    ['image/svg+xml', 'image/png'],
    ['image/avif', 'image/jxl'],
    ['image/avif', 'image/svg+xml'],
    ['audio/flac', 'audio/wav'],
    ['video/webm', 'video/mp4'],
  ])('%s that is %s', async (said, found) => {
    const reason = `is not ${said}, but ${found}, going by its first bytes`
    await expect(add(said.slice(0, 5), heads[found]!, said)).rejects.toMatchObject({
      problems: [`file: ${reason}`],
    })
  })

  test.each(['image/png', 'image/heic', 'image/bmp'])('%s with no signature', async (said) => {
    await expect(add('image', latin1('nothing of it'), said)).rejects.toMatchObject({
      problems: [`file: is not ${said}, going by its first bytes`],
    })
  })

  test.each([
    ['image/vnd.microsoft.icon', 'image/x-icon'],
    ['image/jpg', 'image/jpeg'],
    ['image/any', 'image/png'],
    ['image/x-nikon-nef', 'image/tiff'],
    ['image/heif', 'image/heic'],
    ['audio/x-wav', 'audio/wav'],
    ['audio/mp4', 'video/mp4'],
    ['audio/webm', 'video/webm'],
    ['image/x-portable-pixmap', 'image/x-portable-pixmap'],
  ])('but not %s, which may begin as %s does', async (said, found) => {
    const value = await add(said.slice(0, 5), heads[found] ?? latin1('P6 1 1 255 abc'), said)
    expect(value).toMatchObject({ mime: said })
  })
})

test('a picture is told although its profile of colours is long', async () => {
  const profile = Buffer.concat([latin1('\0\0\x20\0iCCP'), Buffer.alloc(8192 + 4)])
  const value = await add('image', Buffer.concat([png.subarray(0, 33), profile, png.subarray(33)]))
  expect(value).toMatchObject({ mime: 'image/png' })
})
