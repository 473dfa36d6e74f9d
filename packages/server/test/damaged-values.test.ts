import { once } from 'node:events'
import { truncateSync } from 'node:fs'
import { type IncomingMessage, Agent, get } from 'node:http'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { addItem } from '@vitrine/client'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DamagedBlob, reportDamage } from '../src/blobs/read-blob.ts'
import { listDamage } from '../src/store/damage.ts'
import { sha256 } from './photos.ts'
import { type TestServer, startTestServer } from './server.ts'
import { ignoresConditions, isOnS3 } from './test-blobs.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })
})

afterEach(() => server.close())

const whole = 'x'.repeat(5000)
const digest = sha256(whole)

const add = (content: string | Buffer<ArrayBuffer>) =>
  addItem(server.client, 'files', { file: new Blob([content], { type: 'text/plain' }) })

const damaged = { code: 'VALUE_DAMAGED', message: 'the stored value is damaged' }

async function metric(name: string): Promise<number> {
  const metrics = await (await server.request('/metrics')).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1])
}

const noted = () => server.database.use(({ reads }) => listDamage(reads, 10))

describe('a blob of another size', () => {
  test.for([
    ['cut short', whole.slice(0, -10), 'it has 4990 bytes, not 5000'],
    ['too long', `${whole}HTTP/1.1 200 OK\r\n\r\n`, 'it has 5019 bytes, not 5000'],
    ['empty', '', 'it has 0 bytes, not 5000'],
  ] as const)('%s, is refused before any header, on a connection kept alive', async (damage) => {
    const [, bytes, what] = damage
    const id = await add(whole)
    await server.blobs.put(digest, bytes)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const token = await server.issuer.token()
    const read = async (path: string, range?: string) => {
      const headers = { authorization: `Bearer ${token}`, ...(range && { range }) }
      const [reply] = (await once(get(`${server.url}${path}`, { agent, headers }), 'response')) as [
        IncomingMessage,
      ]
      return { status: reply.statusCode, body: await text(reply) }
    }
    const path = `/api/dataset/files/item/${id}/file`
    const first = await server.request(path)
    expect(first.status).toBe(500)
    expect(first.headers.get('etag')).toBe(null)
    expect(await first.json()).toEqual(damaged)
    const second = await read(path)
    expect(second).toMatchObject({ status: 500, body: JSON.stringify(damaged) })
    expect(await read(path, 'bytes=4995-4999')).toMatchObject({ status: 500 })
    // Nothing of the value follows the replies on their connection.
    const next = await read('/api/dataset/files/count')
    expect(next).toEqual({ status: 200, body: '{"totalItems":1}' })
    agent.destroy()
    expect(await noted()).toMatchObject([{ sha256: digest, what }])
    expect(await metric('vitrine_blobs_damaged')).toBe(1)
  })

  test.skipIf(isOnS3)('cut short after the headers, it ends the connection', async () => {
    const large = Buffer.alloc(24 * 1024 ** 2, 'x')
    const id = await add(large)
    const reply = await server.request(`/api/dataset/files/item/${id}/file`)
    expect(reply.status).toBe(200)
    const large256 = sha256(large)
    truncateSync(join(server.dataDir, 'blobs', large256.slice(0, 2), large256.slice(2)), 1000)
    await expect(reply.arrayBuffer()).rejects.toThrow(/terminated|aborted/)
    expect(await noted()).toMatchObject([{ sha256: large256 }])
  })

  test('an archive with a damaged file breaks off, and what is damaged is noted', async () => {
    await add('first')
    await add(whole)
    await server.blobs.put(digest, whole.slice(1))
    const reply = await server.request('/api/dataset/files/export?format=zip')
    await expect(reply.arrayBuffer()).rejects.toThrow(/terminated|aborted/)
    await expect.poll(noted).toMatchObject([{ sha256: digest }])
  })

  test('the log names dataset, item, field and digest of every value', async () => {
    const ids = [await add(whole), await add('other'), await add(whole)]
    const lines: unknown[] = []
    const write = (line: Buffer, _encoding: string, done: () => void) => {
      lines.push(JSON.parse(line.toString()))
      done()
    }
    const logger = pino(new Writable({ write }))
    const blobs = await server.blobs.open()
    await server.database.use((store) =>
      reportDamage({ store, blobs, logger }, new DamagedBlob(digest, 'it has 1 bytes, not 5000')),
    )
    const values = [ids[0], ids[2]].map((item) => ({ dataset: 'files', item, field: 'file' }))
    expect(lines).toMatchObject([{ level: 60, sha256: digest, values }])
  })
})

describe('the right bytes heal', () => {
  const get = (id: number) => server.request(`/api/dataset/files/item/${id}/file`)

  test.for([
    ['of the same size', `y${whole.slice(1)}`],
    ['of another size', 'short'],
  ] as const)('when they are uploaded onto a damaged blob %s', async ([, other]) => {
    const id = await add(whole)
    await server.blobs.put(digest, other)
    await (await get(id)).arrayBuffer()
    await add(whole)
    expect(await (await get(id)).text()).toBe(whole)
    const counted = ignoresConditions && other.length === whole.length ? 0 : 1
    expect(await metric('vitrine_blobs_healed_total')).toBe(counted)
    expect(await noted()).toEqual([])
    // And once they are right nothing is replaced.
    await add(whole)
    expect(await metric('vitrine_blobs_healed_total')).toBe(counted)
  })

  test('a file that is too large to be compared is replaced', { tags: 'long' }, async () => {
    const large = Buffer.alloc(17 * 1024 ** 2, 'x')
    const id = await add(large)
    const other = Buffer.from(large)
    other[5] = 0
    await server.blobs.put(sha256(large), other)
    await add(large)
    expect(sha256(await buffer((await get(id)).body!))).toBe(sha256(large))
  })

  test('when an import brings them', { tags: 'long' }, async () => {
    const id = await add(whole)
    const archive = await server.request('/api/dataset/files/export?format=zip')
    const bytes = await archive.arrayBuffer()
    await server.blobs.put(digest, `y${whole.slice(1)}`)
    const imported = await server.client.importBegin({
      datasetId: 'files',
      format: 'zip',
      key: 'again',
      wait: 30,
      body: bytes,
    })
    expect(imported).toMatchObject({ state: 'done', rows: 1 })
    expect(await (await get(id)).text()).toBe(whole)
    expect(await metric('vitrine_blobs_healed_total')).toBe(ignoresConditions ? 0 : 1)
  })
})
