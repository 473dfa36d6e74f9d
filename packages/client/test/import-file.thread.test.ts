import type { ImportState } from '@vitrine/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient, importFile, type Client } from '../src/index.ts'
import { openBadLine, type BadLine } from './bad-line.ts'
import { startOwnServer, type Server } from './server.ts'

let server: Server
let line: BadLine
let client: Client
let repo: string
let repoCount = 0

beforeAll(async () => {
  server = await startOwnServer()
  line = await openBadLine(server.url)
  client = createClient({ baseUrl: line.url, token: () => server.token })
})
afterAll(async () => {
  await line.close()
  await server.close()
})
beforeEach(async () => {
  repoCount += 1
  repo = `rows-${repoCount}`
  const schema = [{ name: 'text', type: 'string', length: 100 }]
  await client.repoCreate({ body: { name: repo, schema } })
  line.requests.length = 0
})

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => `${JSON.stringify({ text: `row ${row}` })}\n`)
const format = 'ndjson'
const count = async () => (await client.datasetCount({ datasetId: repo })).totalItems

test('a file becomes items, in its order', async () => {
  const told: ImportState[] = []
  const state = await importFile(client, repo, new Blob(rows(2500)), {
    format,
    onProgress: (each) => void told.push(each),
  })
  expect(state).toMatchObject({ state: 'done', rows: 2500, items: { from: 0, to: 2500 } })
  expect(told.at(-1)).toEqual(state)
  const texts = await Array.fromAsync(client.items(repo), ({ data }) => data['text'])
  expect(texts).toEqual(Array.from({ length: 2500 }, (_, row) => `row ${row}`))
})

test('an empty file is imported too', async () => {
  expect(await importFile(client, repo, new Blob(), { format })).toMatchObject({ state: 'done' })
})

test('wherever the line fails, every row comes once', async () => {
  const file = new Blob([...rows(2000), ' '.repeat(9_000_000), '\n'])
  // Begin, some parts, and asking for the end.
  const cases = [
    ['lose request', 0],
    ['lose reply', 0],
    ['lose request', 1],
    ['lose reply', 1],
    [{ status: 502 }, 2],
    ['lose reply', 2],
    ['lose reply', 3],
    ['lose request', 4],
    ['lose reply', 5],
  ] as const
  for (const [number, [fate, at]] of cases.entries()) {
    line.fates.push(...Array.from({ length: at }, () => 'pass' as const), fate)
    // Of every other one, as a stream.
    const source = number % 2 === 0 ? file : (file.stream() as AsyncIterable<Uint8Array>)
    await importFile(client, repo, source, { format, key: `import-${number}` })
    expect(line.fates).toEqual([])
  }
  expect(await count()).toBe(cases.length * 2000)
}, 120_000)

test('a server that cannot be reached is told of, until nobody asks it any more', async () => {
  line.fates.push('pass', ...Array.from({ length: 3 }, () => ({ status: 503 }) as const))
  const told: number[] = []
  const once = createClient({ ...client.options, retries: 0 })
  const importing = importFile(once, repo, new Blob(rows(1)), {
    format,
    failuresMax: 2,
    onLost: ({ status }) => void told.push(status),
  })
  await expect(importing).rejects.toMatchObject({ status: 503 })
  expect(told).toEqual([503, 503])
  expect(line.fates).toEqual([])
})

test('the same key again changes nothing', async () => {
  const file = new Blob(rows(10))
  const first = await importFile(client, repo, file, { format, key: 'once' })
  expect(await importFile(client, repo, file, { format, key: 'once' })).toEqual(first)
  expect(await count()).toBe(10)
})

test('one that was aborted is gone on with', async () => {
  const file = new Blob([...rows(10), `${' '.repeat(999)}\n`.repeat(20_000)])
  const stop = new AbortController()
  const options = { format, key: 'later' } as const
  const first = importFile(client, repo, file, {
    ...options,
    signal: stop.signal,
    onProgress: ({ receivedBytes }) => {
      if (receivedBytes > 0) stop.abort()
    },
  })
  await expect(first).rejects.toThrow('Request aborted')
  expect(await count()).toBe(0)
  const starts: number[] = []
  await importFile(client, repo, file, {
    ...options,
    onProgress: ({ receivedBytes }) => void starts.push(receivedBytes),
  })
  expect(starts[0]).toBeGreaterThanOrEqual(1024 * 1024)
  expect(await count()).toBe(10)
})

test('rows that do not conform fail it, and the repository is as it was', async () => {
  const file = new Blob([...rows(3), `{"text": "${'long'.repeat(100)}"}\n`])
  const importing = importFile(client, repo, file, { format, key: 'refused' })
  await expect(importing).rejects.toMatchObject({
    status: 422,
    code: 'IMPORT_REFUSED',
    body: { details: { refusedRows: 1, importKey: 'refused' } },
  })
  expect(await count()).toBe(0)
  const skipped = await importFile(client, repo, file, { format, mode: 'skip' })
  expect(skipped).toMatchObject({ rows: 4, refusedRows: 1 })
  expect(await count()).toBe(3)
})

test('a repository that is not there is told of at once', async () => {
  const importing = importFile(client, 'nothing', new Blob(rows(1)), { format })
  await expect(importing).rejects.toThrow('repo not found')
})
