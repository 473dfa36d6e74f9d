import { addItem } from '@vitrine/client'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatasetReader } from '../src/reading/dataset-reader.ts'
import { startScrub } from '../src/upkeep/verify/scrub.ts'
import { listDamage } from '../src/store/damage.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer({}, { restarts: true })
  // One at a time reads everything again: what the server began as it started is done.
  await server.scrub()
  await server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })
})

afterEach(() => server.close())

const add = (text: string) =>
  addItem(server.client, 'files', { file: new Blob([text], { type: 'text/plain' }) })

const noted = async () => {
  const found = await server.database.use(({ reads }) => listDamage(reads, 9))
  return found.map(({ sha256: digest, what }) => [digest, what])
}

const damaged = async () =>
  Number(
    /^vitrine_blobs_damaged (\d+)$/m.exec(await (await server.request('/metrics')).text())?.[1],
  )

/** Moves the beginning of the round into the past. */
const letDaysPass = (days: number) =>
  server.database.use(({ write }) =>
    write(async (transaction) => {
      await transaction
        .updateTable('scrub')
        .set((row) => ({ began_at: row('began_at', '-', days * 24 * 3_600_000) }))
        .execute()
    }),
  )

describe('the scrub reads all blobs again', () => {
  test.each([
    ['EMFILE', 'reading everything again failed'],
    ['EIO', 'a blob cannot be read'],
  ])('a read that fails with %s is logged, and not noted as damage', async (code, said) => {
    await add('whole')
    const lines: unknown[] = []
    const write = (line: string) => void lines.push(JSON.parse(line).msg)
    const blobs = await server.blobs.open()
    const open = async () => {
      throw Object.assign(new Error('a fault'), { code })
    }
    await server.database.use(async (store) => {
      const logger = pino({}, { write })
      const datasets = new DatasetReader(store, { onError: (error) => lines.push(error) })
      const scrub = startScrub({
        store,
        datasets,
        blobs: { ...blobs, open },
        logger,
        restShare: 0,
      })
      await scrub.run(0).catch(() => lines.push('reading everything again failed'))
      await scrub.stop()
      await datasets.stop()
    })
    expect(new Set(lines)).toEqual(new Set([said]))
    expect(await noted()).toEqual([])
    expect(await damaged()).toBe(0)
  })

  test('altered and missing bytes are found, and forgotten once they are right', async () => {
    for (const text of ['whole', 'altered', 'missing']) await add(text)
    await server.blobs.put(sha256('altered'), 'ALTERED')
    await (await server.blobs.open()).remove(sha256('missing'))
    await server.scrub(0)
    const found = await noted()
    expect(found).toHaveLength(2)
    expect(found).toEqual(
      expect.arrayContaining([
        [sha256('altered'), 'its bytes are not those of its digest'],
        [sha256('missing'), 'its bytes are missing'],
      ]),
    )
    expect(await damaged()).toBe(2)

    // By an upload, and by a file that is put back.
    await add('altered')
    expect(await noted()).toEqual([[sha256('missing'), 'its bytes are missing']])
    await server.blobs.put(sha256('missing'), 'missing')
    await server.scrub()
    expect(await noted()).toEqual([])
    expect(await damaged()).toBe(0)
  })

  test(
    'however many are damaged, one that is put right is known to be',
    { tags: 'long' },
    async () => {
      const texts = Array.from({ length: 25 }, (_, number) => `file ${number}`)
      for (const text of texts) {
        await add(text)
        await server.blobs.put(sha256(text), 'altered')
      }
      await server.scrub(0)
      const last = texts.toSorted((a, b) => (sha256(a) < sha256(b) ? 1 : -1))[0]!
      await server.blobs.put(sha256(last), last)
      await server.scrub()
      expect(await damaged()).toBe(texts.length - 1)
    },
  )

  test(
    'all of it is read within thirty days, as far as the days have come',
    { tags: 'long' },
    async () => {
      const texts = Array.from({ length: 16 }, (_, number) => `file ${number}`)
      for (const text of texts) await add(text)
      const firstHalf = texts.filter((text) => sha256(text) < '8')
      expect((await server.scrub()).blobs).toBe(0)
      await letDaysPass(15)
      expect((await server.scrub()).blobs).toBe(firstHalf.length)
      // A start goes on where the last process was.
      await server.restart()
      expect((await server.scrub()).blobs).toBe(0)
      await letDaysPass(15)
      expect((await server.scrub()).blobs).toBe(texts.length - firstHalf.length)
      expect((await server.scrub()).blobs).toBe(0)
    },
  )
})
