import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { addItem, ApiError, createClient, type Client } from '../src/index.ts'
import { openBadLine, type BadLine } from './bad-line.ts'
import { startOwnServer, type Server } from './server.ts'

const overloaded = {
  status: 503,
  body: { code: 'OVERLOADED', message: 'Service Unavailable' },
}

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
  // Of a wait that the client chooses itself all is random, and here it is none.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => random.mockRestore())
  repoCount += 1
  repo = `notes-${repoCount}`
  await client.repoCreate({ body: descriptionOf(repo) })
  line.requests.length = 0
})

const descriptionOf = (name: string) => ({ name, schema: [{ name: 'text', type: 'string' }] })
const lines = () => line.requests.map((request) => request.line)
const count = async () => (await client.datasetCount({ datasetId: repo })).totalItems

test.for(['lose request', 'lose reply', { status: 502 }, { status: 504 }, overloaded] as const)(
  'a read is made again after %j',
  async (fate) => {
    line.fates.push(fate, fate)
    expect(await client.datasetCount({ datasetId: repo })).toMatchObject({ totalItems: 0 })
    expect(lines()).toHaveLength(3)
  },
)

test('a reply that is cut off is asked for again', async () => {
  line.fates.push({ cutAfter: 5 })
  expect((await client.datasetGet({ datasetId: repo })).name).toBe(repo)
  expect(lines()).toHaveLength(2)
})

test('requests that are safe to repeat are retried after a lost reply, and take effect once', async () => {
  line.fates.push('lose reply')
  expect((await client.repoCreate({ body: descriptionOf(repo) })).name).toBe(repo)
  line.fates.push('pass', 'lose reply', 'pass', 'lose reply')
  await addItem(client, repo, { text: 'once' })
  expect(lines().slice(2)).toEqual([
    `POST /api/repo/${repo}/item`,
    `POST /api/repo/${repo}/item/1`,
    `POST /api/repo/${repo}/item/1`,
    `POST /api/repo/${repo}/item/1/commit`,
    `POST /api/repo/${repo}/item/1/commit`,
  ])
  expect(await count()).toBe(1)
})

test('requests that are not safe to repeat are not retried when their outcome is unknown', async () => {
  for (const fate of ['lose request', 'lose reply', { status: 503 }, { status: 504 }] as const) {
    line.requests.length = 0
    line.fates.push(fate)
    await expect(addItem(client, repo, { text: 'never' })).rejects.toThrow(ApiError)
    line.fates.push(fate)
    await expect(client.repoDelete({ datasetId: `no-${repo}` })).rejects.toThrow(ApiError)
    expect(lines()).toEqual([`POST /api/repo/${repo}/item`, `DELETE /api/repo/no-${repo}`])
  }
  expect(await count()).toBe(0)
})

test('an unsafe request is retried as well when the server has refused it as overloaded', async () => {
  line.fates.push(overloaded)
  expect(await addItem(client, repo, { text: 'once' })).toBe(1)
  line.fates.push(overloaded)
  await client.repoDelete({ datasetId: repo })
  expect(lines().filter((one) => one.startsWith('DELETE'))).toHaveLength(2)
})

test('the server says how long to wait', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  line.fates.push({ ...overloaded, headers: { 'retry-after': '60' } })
  const counted = count()
  const later = () => (vi.advanceTimersByTime(500), line.requests.length)
  await expect.poll(later, { interval: 1 }).toBe(2)
  await counted
  const [first, second] = line.requests.map(({ at }) => at)
  expect(second! - first!).toBeGreaterThanOrEqual(60_000)
})

test('after a few tries the call fails, with the last reply', async () => {
  line.fates.push(...Array.from({ length: 4 }, () => overloaded))
  const failure = await count().catch((error: unknown) => error)
  expect(failure).toMatchObject({ status: 503, code: 'OVERLOADED' })
  expect(lines()).toHaveLength(4)
})

test('a view that is not ready is asked again as long as it goes on', async () => {
  const notReady = (scanned: number) => ({
    status: 503,
    body: {
      code: 'VIEW_NOT_READY',
      message: 'the view has not looked at all items yet',
      details: { progress: { scanned, total: 100 } },
    },
  })
  line.fates.push(...[10, 20, 30, 40, 50, 50, 60].map(notReady))
  expect(await count()).toBe(0)
  expect(lines()).toHaveLength(8)
  line.requests.length = 0
  line.fates.push(...[10, 10, 10, 10, 10].map(notReady))
  await expect(count()).rejects.toMatchObject({ code: 'VIEW_NOT_READY' })
  expect(lines()).toHaveLength(5)
  line.fates.length = 0
})

test('a refusal that would be the same is not asked for again', async () => {
  await expect(client.datasetGet({ datasetId: 'nothing' })).rejects.toThrow('dataset not found')
  expect(lines()).toHaveLength(1)
})

test('a body that is a stream cannot be sent again', async () => {
  const { id } = await client.insertBegin({ datasetId: repo })
  line.requests.length = 0
  line.fates.push('lose request')
  const sent = client.insertFieldUpload({
    datasetId: repo,
    itemId: id,
    fieldName: 'text',
    body: new Blob(['some text']).stream(),
  })
  await expect(sent).rejects.toThrow('The server could not be reached')
  expect(lines()).toHaveLength(1)
})

test('waiting ends when it is aborted', async () => {
  line.fates.push({ ...overloaded, headers: { 'retry-after': '60' } })
  const abort = new AbortController()
  const counted = client.datasetCount({ datasetId: repo }, { signal: abort.signal })
  await expect.poll(lines).toHaveLength(1)
  abort.abort()
  await expect(counted).rejects.toThrow('Request aborted')
  expect(lines()).toHaveLength(1)
})
