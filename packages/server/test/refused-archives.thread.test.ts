// @module-tag whole
// @module-tag imports

import { gzipSync } from 'node:zlib'
import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png, refusal, startPhotoServer, type PhotoServer } from './photos.ts'
import { damagedIn, tar, zip, type Entry } from './sample-archives.ts'

let server: PhotoServer
const datasetId = 'photos'

beforeAll(async () => {
  server = await startPhotoServer()
})

afterAll(() => server.close())

const row = { title: 'Cat', by: 1, image: 'cats/1.png' }
const rows: [string, string] = ['rows.ndjson', `${JSON.stringify(row)}\n`]
const cat: [string, Uint8Array] = ['cats/1.png', png]

const plain: Entry = ['plain.txt', 'a'.repeat(999)]
const bomb: Entry = ['bomb.bin', Buffer.alloc(100 * 1024 ** 2)]
const cutRows = ['rows.ndjson', `${rows[1]}{"title`] as const
const latin1Rows = [
  'rows.csv',
  Buffer.from('title,by,image\n\xff,1,cats/1.png\n', 'latin1'),
] as const
/** Leaves so many bytes away at the end. */
const without = (bytes: number) => (all: Buffer) => all.subarray(0, -bytes)

/** Gives an entry another name of the same length, wherever it stands. */
const renamed = (from: string, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

/** Writes a number where the directory of a zip says something of the entry that is its last. */
const said = (at: number, value: number) => (bytes: Buffer) => {
  bytes.writeUInt32LE(value, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + at)
  return bytes
}
/** Flags of an entry (APPNOTE.TXT, 4.3.12): with the version that is needed, and by itself. */
const flags = { at: 6, encrypted: (1 << 16) | 20 }
const unpackedSize = 24

const importArchive = (body: BodyInit, format: 'zip' | 'tar'): Promise<ImportState> =>
  server.client.importBegin({ datasetId, format, body })

test.each<[string, () => BodyInit | Promise<BodyInit>, 'zip' | 'tar', RegExp]>([
  ['no zip', () => 'title,by\n', 'zip', /is no zip archive/],
  ['a zip cut off', () => zip([rows, cat], without(30)), 'zip', /no zip archive/],
  ['a zip cut off in a file', () => zip([rows, cat], without(400)), 'zip', /no zip archive/],
  [
    'rows cut off in a zip',
    () => zip([[...cutRows], cat]),
    'zip',
    /^row 2: line 2 is not valid JSON/,
  ],
  ['rows in Latin-1 in a zip', () => zip([[...latin1Rows], cat]), 'zip', /^row 1: line 2 .*UTF-8/],
  ['no tar', () => 'x'.repeat(2000), 'tar', /is no tar archive/],
  ['a tar cut off', () => tar([rows, cat], without(1024 + 500)), 'tar', /tar archive .* cut off/],
  ['a tar cut off at a file', () => tar([rows, cat], without(2048)), 'tar', /archive .* cut off/],
  [
    'rows cut off in a tar',
    () => tar([[...cutRows], cat]),
    'tar',
    /^row 2: line 2 is not valid JSON/,
  ],
  ['a zip without rows', () => zip([cat]), 'zip', /there is none of rows.ndjson/],
  ['rows twice', () => zip([rows, ['rows.csv', 'title']]), 'zip', /one is enough/],
  [
    'a path that climbs',
    () => zip([rows, ['xx/evil.png', png]], renamed('xx/evil', '../evil')),
    'zip',
    /relative path: \.\.\/evil/,
  ],
  [
    'an absolute path',
    () => zip([rows, ['xevil.png', png]], renamed('xevil', '/evil')),
    'zip',
    /absolute path/,
  ],
  [
    'a name twice',
    () => zip([rows, cat, ['cats/2.png', png]], renamed('cats/2', 'cats/1')),
    'zip',
    /"cats\/1.png" is there twice/,
  ],
  [
    'a backslash',
    () => zip([rows, ['xevil.png', png]], renamed('xevil', '\\evil')),
    'zip',
    /absolute path/,
  ],
  ['a zip bomb', () => zip([rows, bomb]), 'zip', /unpacks to more than 200 times its size/],
  [
    'a zip bomb of rows',
    () => zip([['rows.ndjson', bomb[1]]]),
    'zip',
    /unpacks to more than 200 times its size/,
  ],
  [
    'a zip bomb that says it is small',
    () => zip([rows, bomb], said(unpackedSize, 1000)),
    'zip',
    /"bomb.bin" cannot be read/,
  ],
  [
    'an encrypted file',
    () => zip([rows, cat], said(flags.at, flags.encrypted)),
    'zip',
    /"cats\/1.png" is encrypted/,
  ],
  ['a link in a zip', () => zip([rows, ['l', '/etc/passwd', 0o120777]]), 'zip', /"l" is a link/],
  ['a climbing tar', () => tar([rows, ['../x', 'x']]), 'tar', /climbs out/],
  ['an absolute path in a tar', () => tar([rows, ['/etc/x', 'x']]), 'tar', /absolute path/],
  ['a name twice in a tar', () => tar([rows, cat, ['./cats/1.png', '']]), 'tar', /is there twice/],
  ['a link in a tar', () => tar([rows, ['cats/2.png', '', '2']]), 'tar', /is a link/],
  ['a device in a tar', () => tar([rows, ['null', '', '3']]), 'tar', /no file/],
  [
    'bytes that are not those of the entry',
    () => zip([rows, plain, cat], damagedIn(plain[0])),
    'zip',
    /"plain.txt" cannot be read/,
  ],
])('%s is refused', async (_, make, format, reason) => {
  const before = await server.client.datasetCount({ datasetId })
  const refused = (await refusal(importArchive(await make(), format))) as { problems: string[] }
  expect(refused).toMatchObject({ status: 422, code: 'IMPORT_MALFORMED' })
  expect(refused.problems[0]).toMatch(reason)
  expect(await server.client.datasetCount({ datasetId })).toEqual(before)
  expect(await server.blobs.unpublished()).toEqual([])
})

test('a tar that unpacks too far is refused', async () => {
  const body = tar([rows, ['big', Buffer.alloc(70 * 1024 ** 2)]], (bytes) => gzipSync(bytes))
  const refused = (await refusal(importArchive(body, 'tar'))) as { problems: string[] }
  expect(refused).toMatchObject({ code: 'IMPORT_MALFORMED' })
  expect(refused.problems[0]).toMatch(/unpacks to more than 200 times its size$/)
})
