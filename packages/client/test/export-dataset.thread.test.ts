import { stateHeader } from '@vitrine/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createClient,
  exportDataset,
  importFile,
  type Client,
  type ExportOptions,
  type ExportProgress,
} from '../src/index.ts'
import { openBadLine, type BadLine } from './bad-line.ts'
import { startOwnServer, type Server } from './server.ts'

const rowCount = 20_000

let server: Server
let line: BadLine
let client: Client

beforeAll(async () => {
  server = await startOwnServer()
  line = await openBadLine(server.url)
  client = createClient({ baseUrl: line.url, token: () => server.token })
  await client.repoCreate({ body: { name: 'notes', schema: [{ name: 'text', type: 'string' }] } })
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    text: `row ${row}\nof "${'x'.repeat(row % 90)}", ä`,
  }))
  const file = new Blob(rows.map((row) => `${JSON.stringify(row)}\n`))
  await importFile(client, 'notes', file, { format: 'ndjson' })
})
afterAll(async () => {
  await line.close()
  await server.close()
})
beforeEach(() => {
  line.requests.length = 0
})

const textOf = async (options: ExportOptions, meanwhile = async () => {}) => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of exportDataset(client, 'notes', options)) {
    text += decoder.decode(bytes, { stream: true })
    await meanwhile()
  }
  return text
}

test.for(['ndjson', 'csv', 'tsv'] as const)(
  '%s that is cut off again and again is the same in the end',
  async (format) => {
    const whole = await textOf({ format })
    line.requests.length = 0
    line.fates.push(
      { cutAfter: 50_000 },
      'lose request',
      { cutAfter: 10 },
      'lose reply',
      { cutAfter: 700_000 },
      { status: 502 },
    )
    expect((await textOf({ format })) === whole).toBe(true)
    expect(line.requests.length).toBeGreaterThan(6)
    expect(line.fates).toEqual([])
  },
)

test('progress is told in rows', async () => {
  const told: ExportProgress[] = []
  const text = await textOf({
    format: 'ndjson',
    from: 100,
    to: 5000,
    onProgress: (progress) => void told.push(progress),
  })
  expect(text.split('\n')).toHaveLength(4901)
  expect(told.at(-1)).toEqual({
    bytes: Buffer.byteLength(text),
    rows: 4900,
    totalRows: 4900,
  })
})

test('an export that is cut off and resumed leaves out items added in the meantime', async () => {
  let adding: Promise<unknown> | undefined
  line.fates.push({ cutAfter: 50_000 })
  const text = await textOf({ format: 'ndjson' }, async () => {
    adding ??= importFile(client, 'notes', new Blob(['{"text":"new"}\n']), { format: 'ndjson' })
    await adding
  })
  expect(text.split('\n')).toHaveLength(rowCount + 1)
  expect(await client.datasetCount({ datasetId: 'notes' })).toMatchObject({
    totalItems: rowCount + 1,
  })
})

const inOrder: ExportOptions = { format: 'ndjson', order: ['-text'] }

/** An export in an order that is cut off, while an item is added that comes early in it. */
const cutInOrder = (text: string) => {
  let adding: Promise<unknown> | undefined
  line.fates.push({ cutAfter: 50_000 })
  return textOf(inOrder, async () => {
    const rows = new Blob([JSON.stringify({ text })])
    adding ??= importFile(client, 'notes', rows, { format: 'ndjson' })
    await adding
  })
}

test('in an order it goes on as it was, though items were added meanwhile', async () => {
  const whole = await textOf(inOrder)
  line.fates.push({ cutAfter: 50_000 }, { cutAfter: 90_000 })
  expect((await textOf(inOrder)) === whole).toBe(true)
  expect((await cutInOrder('row y')) === whole).toBe(true)
  expect((await textOf(inOrder)) === whole).toBe(false)
})

test('without a state header, an ordered export fails if items are added before it resumes', async () => {
  line.withheld.add(stateHeader)
  // The rows from there on are others: going on would have one of them twice.
  await expect(cutInOrder('row z')).rejects.toThrow(
    'Items were added while they were exported in an order',
  )
  line.withheld.clear()
})

test('it can be aborted', async () => {
  const stop = new AbortController()
  const exporting = textOf({
    format: 'ndjson',
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  await expect(exporting).rejects.toThrow('Request aborted')
})

test('a dataset that is not there is told of at once', async () => {
  const reading = exportDataset(client, 'nothing', { format: 'csv' }).next()
  await expect(reading).rejects.toThrow('dataset not found')
  expect(line.requests).toHaveLength(1)
})
