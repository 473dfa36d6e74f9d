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

type Entry = [name: string, content: string | Uint8Array]

const row = { title: 'Cat', by: 1, image: 'cats/1.png' }
const rows: Entry = ['rows.ndjson', `${JSON.stringify(row)}\n`]
const cat: Entry = ['cats/1.png', png]

async function zip(entries: Entry[], change = (bytes: Buffer) => bytes): Promise<Blob> {
  const file = new yazl.ZipFile()
  for (const [name, content] of entries) file.addBuffer(Buffer.from(content), name)
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

function tar(entries: [...Entry, type?: string][]): BodyInit {
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
  return new Blob([new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(1024)]))])
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
      '2.image: is not image/png, going by its first bytes',
      '3.image: names no file of the archive and is the sha256 of no bytes that are kept',
    ],
  })
})

const plain: Entry = ['plain.txt', 'a'.repeat(999)]
const bomb: Entry = ['bomb.bin', Buffer.alloc(100 * 1024 ** 2)]

test.each<[string, () => BodyInit | Promise<BodyInit>, 'zip' | 'tar', RegExp]>([
  ['no zip', () => 'title,by\n', 'zip', /is no zip archive/],
  ['a zip cut off', () => zip([rows, cat], (all) => all.subarray(0, -30)), 'zip', /no zip archive/],
  ['no tar', () => 'x'.repeat(2000), 'tar', /is no tar archive/],
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
  ['a zip bomb', () => zip([rows, bomb]), 'zip', /unpacks to more than 200 times its size/],
  ['a climbing tar', () => tar([rows, ['../x', 'x']]), 'tar', /climbs out/],
  ['a link', () => tar([rows, ['cats/2.png', '', '2']]), 'tar', /is a link/],
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
