import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Prepare, WithSlots } from '../src/store/prepare.ts'
import { checkItems } from '../src/upkeep/verify/check-installation.ts'
import { windowMax } from '../src/upkeep/verify/scrub-rows.ts'
import { DatasetReader } from '../src/reading/dataset-reader.ts'
import { startScrub } from '../src/upkeep/verify/scrub.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { wholeImport } from './whole-import.ts'

const whole = {
  string: 'whole',
  json: { a: 1 },
  date: '2026-11-22',
  timestamp: '2026-11-22T10:00:00Z',
  integer: 3,
  number: 1.5,
  boolean: true,
}
const altered = {
  string: `'other'`,
  json: `'{no JSON'`,
  date: `'2026-11-23'`,
  timestamp: 'null',
  integer: '9223372036854775807',
  number: '1.25',
  boolean: '0',
}

async function start(): Promise<TestServer> {
  const server = await startTestServer({}, { restarts: true })
  onTestFinished(() => server.close())
  // One at a time reads everything again: what it began as it started is done.
  await server.scrub()
  return server
}

async function createRepo({ client }: TestServer, name: string, types: readonly string[]) {
  const schema = types.map((type) => ({ name: type, type, optional: true }))
  await client.repoCreate({ body: { name, schema } })
}

const change = ({ database }: TestServer, statement: string) =>
  database.use(({ write }) => write((transaction) => sql.raw(statement).execute(transaction)))

/** Moves the beginning of the round into the past. */
const letDaysPass = (server: TestServer, days: number) =>
  change(server, `update scrub set began_at = began_at - ${days * 24 * 3_600_000}`)

type Range = { from: number; to: number }

/** Runs a whole round beside the server, told what it asks for and what it reads; returns the lines of its log. */
async function scrub(
  { database, blobs }: TestServer,
  on: { onRange?: (range: Range) => void; onRead?: (rows: (readonly unknown[])[]) => void },
) {
  const lines: unknown[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return database.use(async (store) => {
    const prepareInWorker: Prepare = <Parameters extends object, Row extends readonly unknown[]>(
      build: WithSlots<Parameters>,
    ) => {
      const select = store.prepareInWorker<Parameters, Row>(build)
      return async (given: Parameters) => {
        if ('from' in given) on.onRange?.(given as unknown as Range)
        const found = await select(given)
        on.onRead?.(found)
        return found
      }
    }
    const datasets = new DatasetReader(store, { onError: (error) => lines.push(error) })
    const scrubbing = startScrub({
      store: { ...store, prepareInWorker },
      datasets,
      blobs: await blobs.open(),
      logger,
      restShare: 0,
    })
    const { rows } = await scrubbing.run(0)
    await scrubbing.stop()
    await datasets.stop()
    return { rows, lines }
  })
}

const damaged = async (server: TestServer) =>
  Number(
    /^vitrine_blobs_damaged (\d+)$/m.exec(await (await server.request('/metrics')).text())?.[1],
  )

test('a value that was altered in the database is found and named, and forgotten once it is right', async () => {
  const server = await start()
  const types = Object.keys(whole) as (keyof typeof whole)[]
  await createRepo(server, 'others', ['string'])
  await createRepo(server, 'values', types)
  await addItem(server.client, 'others', { string: 'sound' })
  await addItem(server.client, 'values', whole)
  const id = await addItem(server.client, 'values', whole)
  await server.scrub(0)
  expect(await server.client.damageList({})).toEqual([])

  const kept = `select ${types.map((_, at) => `f${at}`).join(', ')} from items_2 where position = 0`
  const changes = types.map((type, at) => `f${at} = ${altered[type]}`).join(', ')
  await change(server, `update items_2 set ${changes} where id = ${id}`)
  await server.scrub(0)
  const found = await server.client.damageList({})
  expect(found.map(({ values }) => values)).toHaveLength(types.length)
  expect(found).toEqual(
    expect.arrayContaining(
      types.map((field) => ({
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        what: 'its value in the database is not what was sealed',
        firstSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
        lastSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
        values: [{ dataset: 'values', item: id, field }],
      })),
    ),
  )
  // The beginning of its digest is what is kept of it.
  const known = sha256('whole').slice(0, 8).padEnd(64, '0')
  expect(found).toContainEqual(expect.objectContaining({ sha256: known }))
  expect(await server.client.damageList({ pageSize: 2, page: 3 })).toEqual(found.slice(6))
  expect(await damaged(server)).toBe(types.length)
  const checked = await server.database.use(async (store) => {
    const findings: string[] = []
    for await (const { what } of checkItems(store)) findings.push(what)
    return findings
  })
  expect(checked).toEqual(types.map((type) => `${type} is not what was sealed`))

  // What is known is read with every step, wherever the round is.
  const columns = types.map((_, at) => `f${at}`).join(', ')
  await change(server, `update items_2 set (${columns}) = (${kept}) where id = ${id}`)
  await server.scrub()
  expect(await server.client.damageList({})).toEqual([])
  expect(await damaged(server)).toBe(0)
})

test('damage of a deleted repository is no damage any more', async () => {
  const server = await start()
  await createRepo(server, 'values', ['string'])
  await addItem(server.client, 'values', { string: 'whole' })
  await change(server, `update items_1 set f0 = 'other'`)
  await server.scrub(0)
  expect(await damaged(server)).toBe(1)
  await server.client.repoDelete({ datasetId: 'values' })
  expect(await server.client.damageList({})).toEqual([])
  await server.scrub()
  expect(await damaged(server)).toBe(0)
  const noted = await server.database.use(({ reads }) =>
    reads.selectFrom('value_damage').selectAll().execute(),
  )
  expect(noted).toEqual([])
})

test(
  'all rows are read within thirty days, as far as the days have come, and over restarts',
  { tags: 'long' },
  async () => {
    const server = await start()
    for (const name of ['first', 'second', 'none', 'third'])
      await createRepo(server, name, ['string'])
    const rows = Array.from({ length: 40 }, (_, row) => `{"string":"${row}"}\n`).join('')
    for (const datasetId of ['first', 'second', 'third']) {
      await wholeImport(server.client, {
        datasetId,
        format: 'ndjson',
        key: 'k',
        wait: 60,
        body: rows,
      })
    }
    expect((await server.scrub()).rows).toBe(0)
    await letDaysPass(server, 15)
    expect((await server.scrub()).rows).toBe(60)
    await server.restart()
    expect((await server.scrub()).rows).toBe(0)
    // Behind the round, and before it.
    await change(server, `update items_2 set f0 = 'other' where position in (3, 33)`)
    await letDaysPass(server, 10)
    expect((await server.scrub()).rows).toBe(40)
    expect(await damaged(server)).toBe(1)
    await letDaysPass(server, 5)
    expect((await server.scrub()).rows).toBe(20 + 1)
    expect((await server.scrub()).rows).toBe(0 + 1)
    await letDaysPass(server, 30)
    expect((await server.scrub()).rows).toBe(120 + 1)
    expect(await damaged(server)).toBe(2)
  },
)

test(
  'rows are read in windows bounded by their number, their values and their bytes',
  { tags: 'long' },
  async () => {
    const server = await start()
    await server.client.repoCreate({
      body: { name: 'long', schema: [{ name: 'text', type: 'string', length: 1_000_000 }] },
    })
    const long = 'x'.repeat(windowMax.bytes / 4)
    const small = windowMax.rows + 7
    const lines = [
      ...Array.from({ length: small }, () => '{"text":""}\n'),
      ...Array.from({ length: 6 }, () => `{"text":"${long}"}\n`),
    ]
    const body = lines.join('')
    await wholeImport(server.client, {
      datasetId: 'long',
      format: 'ndjson',
      key: 'k',
      wait: 60,
      body,
    })
    const read: { count: number; bytes: number }[] = []
    const { rows } = await scrub(server, {
      onRead: (found) => {
        const bytes = found.flat().map((cell) => (typeof cell === 'string' ? cell.length : 40))
        read.push({ count: found.length, bytes: bytes.reduce((sum, size) => sum + size, 0) })
      },
    })
    expect(rows).toBe(lines.length)
    expect(Math.max(...read.map(({ count }) => count))).toBe(windowMax.rows)
    expect(Math.max(...read.map(({ bytes }) => bytes))).toBeLessThan(
      windowMax.bytes + 200 * windowMax.rows,
    )
  },
)

test(
  'an item that cannot be read, and one that is gone, are logged, and the rest is read',
  { tags: 'long' },
  async () => {
    const server = await start()
    await createRepo(server, 'values', ['string'])
    const body = Array.from({ length: 9 }, (_, row) => `{"string":"${row}"}\n`).join('')
    await wholeImport(server.client, {
      datasetId: 'values',
      format: 'ndjson',
      key: 'k',
      wait: 60,
      body,
    })
    await change(server, `delete from items_1 where position = 2`)
    await change(server, `update items_1 set f0 = 'other' where position = 8`)
    const { rows, lines } = await scrub(server, {
      onRange: ({ from, to }) => {
        if (from <= 5 && 5 < to) throw new Error('malformed')
      },
    })
    expect(rows).toBe(9)
    const known = sha256('8').slice(0, 8).padEnd(64, '0')
    expect(lines).toEqual([
      expect.objectContaining({ level: 60, missing: 1, dataset: 'values' }),
      expect.objectContaining({ msg: 'an item cannot be read', position: 5, dataset: 'values' }),
      expect.objectContaining({
        level: 60,
        msg: 'committed values are not what was sealed',
        values: [{ dataset: 'values', item: 9, field: 'string', sha256: known }],
      }),
    ])
  },
)

test('an entry of the log with another hash than its item says is logged', async () => {
  const server = await start()
  await createRepo(server, 'values', ['string'])
  for (const string of ['one', 'two', 'three']) await addItem(server.client, 'values', { string })
  await change(server, `update items_1 set leaf = x'${sha256('flipped')}' where id = 1`)
  // Somebody rewrote a value with its digest.
  await change(
    server,
    `update items_1 set f0 = 'other', digests = x'${sha256('other')}' where id = 3`,
  )
  const { lines } = await scrub(server, {})
  expect(lines).toEqual([
    expect.objectContaining({
      level: 60,
      msg: 'entries of the log are not what their items say',
      dataset: 'values',
      items: [1, 3],
    }),
  ])
})

test('a value that was altered to another spelling of itself is found', async () => {
  const server = await start()
  await createRepo(server, 'values', ['json'])
  await addItem(server.client, 'values', { json: '{"a":1}' })
  await change(server, `update items_1 set f0 = '{"a": 1}' where position = 0`)
  await server.scrub(0)
  const [found] = await server.client.damageList({})
  expect(found?.values).toEqual([{ dataset: 'values', item: 1, field: 'json' }])
})

test('rows of before their repository was extended are whole', async () => {
  const server = await start()
  await createRepo(server, 'values', ['string'])
  await addItem(server.client, 'values', { string: 'before' })
  const schema = ['string', 'date'].map((type) => ({ name: type, type, optional: true }))
  await server.client.repoExtend({ datasetId: 'values', body: { name: 'values', schema } })
  await addItem(server.client, 'values', { string: 'after', date: '2026-11-22' })
  await change(server, `update items_1 set f1 = '2026-11-23' where position = 0`)
  await server.scrub(0)
  const found = await server.client.damageList({})
  expect(found.map(({ values }) => values)).toEqual([
    [{ dataset: 'values', item: 1, field: 'date' }],
  ])
})
