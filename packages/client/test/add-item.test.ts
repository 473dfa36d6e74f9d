import { createHash } from 'node:crypto'
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addItem, createClient, type AddItemProgress, type Client } from '../src/index.ts'
import { startOwnServer, type Server } from './server.ts'

const size = 24 * 1024 * 1024

let folder: string
let server: Server
let client: Client
let file: Blob

beforeAll(async () => {
  server = await startOwnServer()
  client = createClient({ baseUrl: server.url, token: () => server.token })
  await client.repoCreate({
    body: {
      name: 'films',
      schema: [
        { name: 'title', type: 'string' },
        { name: 'film', type: 'binary', mime: 'video/mp4' },
      ],
    },
  })
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const path = join(folder, 'film.mp4')
  writeFileSync(path, Buffer.alloc(size, 'film'))
  file = await openAsBlob(path, { type: 'video/mp4' })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test('a large file is told of as it is hashed and sent', async () => {
  const told: AddItemProgress[] = []
  const values = { title: 'Film\r\n\n', film: file }
  const id = await addItem(client, 'films', values, {
    onProgress: (progress) => void told.push(progress),
  })
  expect(told[0]).toEqual({ step: 'initialize' })
  expect(told.at(-1)).toMatchObject({
    step: 'commit',
    id,
    integrity: { title: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  })
  const uploads = told.filter((each) => each.step === 'upload')
  const sent = uploads.map(({ sentBytes }) => sentBytes)
  expect(new Set(sent).size).toBeGreaterThan(10)
  expect(sent).toEqual(sent.toSorted((a, b) => a - b))
  expect(uploads.at(-1)).toEqual({
    step: 'upload',
    hashedBytes: size + 7,
    sentBytes: size + 7,
    totalBytes: size + 7,
  })
  const { integrity } = await client.datasetItemGet({ datasetId: 'films', itemId: id })
  const sha256 = createHash('sha256').update(Buffer.alloc(size, 'film')).digest('hex')
  expect(integrity?.['film']).toEqual({ sha256, size, mime: 'video/mp4' })
})

test('cancelled half-way, nothing is added', async () => {
  const stop = new AbortController()
  const adding = addItem(
    client,
    'films',
    { title: 'Never', film: file },
    {
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.step === 'upload' && progress.sentBytes > size / 4) stop.abort()
      },
    },
  )
  await expect(adding).rejects.toThrow('Request aborted')
  const titles = await Array.fromAsync(client.items('films'), ({ data }) => data['title'])
  expect(titles).not.toContain('Never')
})
