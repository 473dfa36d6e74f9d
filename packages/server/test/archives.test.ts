import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yazl from 'yazl'
import { readZip } from '../src/imports/archives/read-zip.ts'
import { ImportedFile } from '../src/imports/imported-file.ts'
import { png, refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'
import { createTestBlobs } from './test-blobs.ts'

let server: PhotoServer
const datasetId = 'photos'

beforeAll(async () => {
  server = await startPhotoServer()
  const { schema } = await server.client.datasetGet({ datasetId })
  await server.client.repoCreate({ body: { name: 'copies', schema } })
})

afterAll(() => server.close())

type Entry = [name: string, content: string | Uint8Array, mode?: number]

const row = { title: 'Cat', by: 1, image: 'cats/1.png' }
const rows: [string, string] = ['rows.ndjson', `${JSON.stringify(row)}\n`]
const cat: [string, Uint8Array] = ['cats/1.png', png]

async function zip(entries: Entry[], change = (bytes: Buffer) => bytes): Promise<Blob> {
  const file = new yazl.ZipFile()
  for (const [name, content, mode = 0o100644] of entries) {
    file.addBuffer(Buffer.from(content), name, { mode })
  }
  file.end()
  const chunks: Buffer[] = []
  for await (const chunk of file.outputStream as AsyncIterable<Buffer>) chunks.push(chunk)
  return new Blob([new Uint8Array(change(Buffer.concat(chunks)))])
}

/** Gives an entry another name of the same length, wherever it stands. */
const renamed = (from: string, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')

/** Damages the first bytes of an entry. */
const damagedIn = (name: string) => (bytes: Buffer) => {
  const at = bytes.indexOf(name) + name.length
  return bytes.fill(0xff, at, at + 4)
}

/** Writes a number where the directory of a zip says something of the entry that is its last. */
const said = (at: number, value: number) => (bytes: Buffer) => {
  bytes.writeUInt32LE(value, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + at)
  return bytes
}
/** Of APPNOTE.TXT, 4.3.12: with the version that is needed, and by itself. */
const flags = { at: 6, encrypted: (1 << 16) | 20 }
const unpackedSize = 24

function tar(
  entries: [name: string, content: string | Uint8Array, type?: string][],
  change = (bytes: Buffer) => bytes,
): BodyInit {
  const blocks = entries.flatMap(([name, content, type = '0']) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  const bytes = Buffer.concat([...blocks, Buffer.alloc(1024)])
  return new Blob([new Uint8Array(change(bytes))])
}

const importArchive = (
  body: BodyInit,
  format: 'zip' | 'tar' = 'zip',
  name = datasetId,
): Promise<ImportState> => server.client.importBegin({ datasetId: name, format, body })

async function expectCat({ state, items }: ImportState): Promise<void> {
  expect(state).toBe('done')
  const { data, integrity } = await server.get(items!.firstId)
  expect(data).toEqual({ title: 'Cat', by: 1, image: sha256(png) })
  expect(integrity?.['image']).toEqual({ sha256: sha256(png), size: png.length, mime: 'image/png' })
}

test('a zip of rows and files becomes items', async () => {
  await expectCat(await importArchive(await zip([cat, rows, ['unused.txt', 'nobody']])))
  await server.upkeep()
  const image = await server.client.datasetFieldGet({ datasetId, itemId: 1, fieldName: 'image' })
  expect(Buffer.from(await image.arrayBuffer())).toEqual(png)
})

test('so does a tar, with long names and folders', async () => {
  const long = `${'long/'.repeat(30)}cat.png`
  const pax = ` path=${long}\n`
  const record = `${pax.length + 3}${pax}`
  const named = `title,by,image\nCat,1,${long}\n`
  const body = tar([
    ['./rows.csv', named],
    ['cats/', '', '5'],
    ['pax', record, 'x'],
    ['short', png],
  ])
  await expectCat(await importArchive(body, 'tar'))
})

test('rows whose files are missing, or are not what their field takes, are refused', async () => {
  const bad: Entry = ['cats/2.png', 'no image']
  const listed: Entry = [
    'rows.ndjson',
    [row, { ...row, image: 'cats/2.png' }, { ...row, image: 'cats/3.png' }]
      .map((each) => JSON.stringify(each))
      .join('\n'),
  ]
  const refused = await refusal(importArchive(await zip([cat, bad, listed])))
  expect(refused).toMatchObject({
    code: 'IMPORT_REFUSED',
    problems: [
      'row 2, image: is not image/png, going by its first bytes',
      'row 3, image: names no file of the archive and is the sha256 of no bytes that are kept',
    ],
  })
})

const plain: Entry = ['plain.txt', 'a'.repeat(999)]
const bomb: Entry = ['bomb.bin', Buffer.alloc(100 * 1024 ** 2)]
const cutRows = ['rows.ndjson', `${rows[1]}{"title`] as const
const latin1Rows = [
  'rows.csv',
  Buffer.from('title,by,image\n\xff,1,cats/1.png\n', 'latin1'),
] as const
/** Leaves so many bytes away at the end. */
const without = (bytes: number) => (all: Buffer) => all.subarray(0, -bytes)

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
    /\\evil/,
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

test('damaged bytes are told of, also when they are read late', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const blobs = await createTestBlobs(dataDir).open()
  const archive = await zip([plain], damagedIn(plain[0]))
  const received = await blobs.receive(archive.stream(), { maxBytes: Infinity })
  await received.publish()
  const { sha256, size } = received
  const file = new ImportedFile(blobs, [{ kind: 'sent', start: 0, name: null, sha256, size }])
  for await (const entry of readZip(file)) {
    const stream = await entry.open()
    // By then it knows.
    await sleep(200)
    await expect(buffer(stream)).rejects.toThrow('invalid')
  }
  await received.discard()
  rmSync(dataDir, { recursive: true })
})

test('a dataset exported as a zip is imported as it is, with every digest', async () => {
  const { client } = server
  const raw = Buffer.concat([png, Buffer.from('other')])
  const second: Entry = ['rows.ndjson', JSON.stringify({ ...row, notes: 'x', raw: 'raw' })]
  await importArchive(await zip([second, cat, ['raw', raw]]))
  const path = `/api/dataset/${datasetId}/export?format=zip&integrity=true`
  const response = await server.request(path)
  expect(response.headers.get('content-type')).toBe('application/zip')
  const exported = await response.blob()
  expect(await importArchive(exported, 'zip', 'copies')).toMatchObject({ state: 'done' })
  const listed = async (name: string) => {
    const { totalItems } = await client.datasetCount({ datasetId: name })
    const items = await client.datasetItemList({ datasetId: name, pageSize: 1000 })
    expect(items).toHaveLength(totalItems)
    return Promise.all(
      items.map(async ({ id }) => {
        const { integrity } = await client.datasetItemGet({ datasetId: name, itemId: id })
        return integrity
      }),
    )
  }
  expect(await listed('copies')).toEqual(await listed(datasetId))
})

test('Croissant names the files of a dataset and of what it refers to, with their digests', async () => {
  const response = await server.request(`/api/dataset/${datasetId}/export?format=croissant`)
  const described = (await response.json()) as {
    conformsTo: string
    distribution: { contentUrl: string; sha256: string }[]
    recordSet: { '@id': string; field: { '@id': string; references?: unknown }[] }[]
  }
  expect(described.conformsTo).toBe('http://mlcommons.org/croissant/1.1')
  expect(described.recordSet.map((set) => set['@id'])).toEqual([datasetId, 'people'])
  const by = described.recordSet[0]!.field.find((field) => field['@id'] === 'photos/by')
  expect(by!.references).toEqual({ field: { '@id': 'people/id' } })
  for (const { contentUrl, sha256: said } of described.distribution) {
    const { pathname, search } = new URL(contentUrl)
    const file = await server.request(pathname + search)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(said)
  }
})
