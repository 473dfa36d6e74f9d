// @module-tag whole
// @module-tag rows

import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { addItem, importFile } from '@vitrine/client'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yazl from 'yazl'
import { awkwardText } from './awkward-text.ts'
import { png } from './photos.ts'
import { expectRoundTrip, roundTripFormats } from './round-trip.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'

const rowCount = times('ROUND_TRIP_ROWS', { first: 60, whole: 300 })
/** `npm run test:round-trips` takes 10,000. */
const imageCount = times('ROUND_TRIP_IMAGES', { first: 50, whole: 200 })

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const schema = [{ name: 'name', type: 'string', length: 100 }]
  await server.client.repoCreate({ body: { name: 'people', schema } })
  for (const name of ['Ada', 'Grace']) await addItem(server.client, 'people', { name })
})

afterAll(() => server.close())

/** A zip of rows and the files that they name. */
async function zip(rows: object[], files: ReadonlyMap<string, Uint8Array>): Promise<Blob> {
  const made = new yazl.ZipFile()
  made.addBuffer(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')), 'rows.ndjson')
  for (const [name, bytes] of files) made.addBuffer(Buffer.from(bytes), name, { compress: false })
  made.end()
  return new Blob([new Uint8Array(await buffer(made.outputStream))])
}

test.each(roundTripFormats)(
  'generated data with every awkward character goes out as %s and comes back as it was',
  async (format) => {
    const { client } = server
    const datasetId = `awkward-${format}`
    await client.repoCreate({
      body: {
        name: datasetId,
        schema: [
          { name: 'word', type: 'string', length: 100 },
          { name: 'note', type: 'string', length: 1000, optional: true },
          { name: 'by', type: 'reference', target: 'people' },
          { name: 'seen', type: 'reference', target: 'people', optional: true },
          { name: 'raw', type: 'binary', mime: 'application/octet-stream' },
          { name: 'image', type: 'binary', mime: 'image/*', optional: true },
        ],
      },
    })
    const person = fc.constantFrom(1, 2)
    const made = fc.record({
      word: awkwardText,
      note: fc.option(awkwardText),
      by: person,
      seen: fc.option(person),
      raw: fc.uint8Array({ maxLength: 50 }),
      image: fc.option(fc.uint8Array({ maxLength: 50 })),
    })
    const files = new Map<string, Uint8Array>()
    const rows = fc.sample(made, rowCount).map(({ raw, image, ...values }, row) => {
      files.set(`raw/${row}`, raw)
      if (image !== null) files.set(`${row}.png`, Buffer.concat([png, image]))
      return { ...values, raw: `raw/${row}`, image: image && `${row}.png` }
    })
    await importFile(client, datasetId, await zip(rows, files), { format: 'zip' })
    expect(await expectRoundTrip(client, datasetId, format)).toBe(rowCount)
  },
)

test(
  `a zip of ${imageCount} images goes out and comes back as it was`,
  { timeout: 180_000 + imageCount * 60 },
  async () => {
    const { client } = server
    const datasetId = 'images'
    await client.repoCreate({
      body: {
        name: datasetId,
        schema: [
          { name: 'title', type: 'string', length: 20 },
          { name: 'image', type: 'binary', mime: 'image/png' },
        ],
      },
    })
    const files = new Map<string, Uint8Array>()
    const rows = Array.from({ length: imageCount }, (_, index) => {
      const image = `images/${index}.png`
      files.set(image, Buffer.concat([png, randomBytes(index % 5000)]))
      return { title: `${index}`, image }
    })
    await importFile(client, datasetId, await zip(rows, files), { format: 'zip' })
    expect(await expectRoundTrip(client, datasetId, 'zip')).toBe(imageCount)
  },
)
