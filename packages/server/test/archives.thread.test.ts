// @module-tag whole
// @module-tag imports

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readZip } from '../src/imports/archives/read-zip.ts'
import { ImportedFile } from '../src/imports/import-file.ts'
import { png, refusal, sha256, startPhotoServer, type PhotoServer } from './photos.ts'
import { damagedIn, tar, zip, type Entry } from './sample-archives.ts'
import { createTestBlobs } from './test-blobs.ts'
import { until } from './until.ts'

let server: PhotoServer
const datasetId = 'photos'

beforeAll(async () => {
  server = await startPhotoServer()
  const { schema } = await server.client.datasetGet({ datasetId })
  await server.client.repoCreate({ body: { name: 'copies', schema } })
})

afterAll(() => server.close())

const row = { title: 'Cat', by: 1, image: 'cats/1.png' }
const rows: [string, string] = ['rows.ndjson', `${JSON.stringify(row)}\n`]
const cat: [string, Uint8Array] = ['cats/1.png', png]

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

test('a tar with long names and folders becomes items', async () => {
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

test('a tar packed with gzip becomes items, also with rows in a JSON array', async () => {
  const body = tar([['rows.json', JSON.stringify([row])], cat], (bytes) => gzipSync(bytes))
  await expectCat(await importArchive(body, 'tar'))
})

test('damaged bytes are told of, also when they are read late', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const blobs = await createTestBlobs(dataDir).open()
  const archive = await zip([['plain.txt', 'a'.repeat(999)]], damagedIn('plain.txt'))
  const received = await blobs.receive(archive.stream(), { maxBytes: Infinity })
  await received.publish()
  const { sha256, size } = received
  const file = new ImportedFile(blobs, [{ kind: 'sent', start: 0, name: null, sha256, size }])
  for await (const entry of readZip(file)) {
    const stream = await entry.open()
    await until(() => (stream as Readable).errored !== null)
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
