import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@vitrine/client'
import { Connection, requestBytes } from './connection.ts'
import { expectItems, latency } from './latency.ts'
import type { Figure, Measurement } from './measurement.ts'
import { secondsOf } from './peers/comparison.ts'
import { openSignedInBrowser } from './signed-in-browser.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, mean, median } from './statistics.ts'
import { importFile, names, rowOf, writeRows } from './transfers.ts'

/** `PAST_ITEMS=10000000 npm run bench past` for the figures of docs/performance.md. */
const itemCount = Number(process.env['PAST_ITEMS'] ?? 1_000_000)
/** It has as many spellings as requests, or replies would be cached. */
const datasetId = 'cities-of-the-world'
const changed = 1000
const pageSize = 20
const rounds = 100
const proofs = 200
const places = ['first', 'middle', 'last'] as const

/** Citing, comparing, proving and taking along a repository of millions, beside its pages as it is now. */
export const past: Measurement = {
  name: 'past',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-past-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const env = await engine.newDatabase()
    const file = join(folder, 'rows.csv')
    writeRows(file, [names.join(',')], (row) => rowOf(row).join(','), itemCount)
    const figures: Figure[] = []
    {
      await using signedIn = await startSignedInServer(env, { dataDir })
      const { server, token } = signedIn
      const client = createClient({ baseUrl: server.url, token: () => token })
      await importFile(client, { format: 'csv', file, name: datasetId })
      await client.logCheckpoint({ datasetId })
      const connection = await Connection.open(server.port)
      figures.push(...(await pages(connection, token)))
      figures.push(...(await proofsOf(connection, token)))
      connection.close()
      figures.push(...(await snapshots(client, { url: server.url, token })))
    }
    figures.push(await proofInBrowser({ dataDir, env, dataset: datasetId }))
    return figures
  },
}

/** Pages of the repository with half its items, and of what the last items changed. */
async function pages(connection: Connection, token: string): Promise<Figure[]> {
  const at = itemCount / 2
  const ask = (page: number, state: string) => () =>
    latency(connection, token, {
      dataset: datasetId,
      what: () => `item?page=${page}&pageSize=${pageSize}${state}`,
      check: expectItems(pageSize),
    })
  const pageOf = (count: number, place: (typeof places)[number]) => {
    const last = Math.floor(count / pageSize) - 1
    return { first: 0, middle: last >> 1, last }[place]
  }
  const diff = `diff?from=${itemCount - changed}&to=${itemCount}&pageSize=${changed}`
  const paged = {
    ...Object.fromEntries(places.map((place) => [place, ask(pageOf(itemCount, place), '')])),
    ...Object.fromEntries(
      places.map((place) => [`${place}, then`, ask(pageOf(at, place), `&at=${at}`)]),
    ),
  }
  // By themselves, as collecting what large replies leave would fall on the pages after them.
  const large = {
    diff: () =>
      latency(connection, token, {
        dataset: datasetId,
        what: () => diff,
        check: (reply) => expectItems(changed)((reply as { changes: unknown[] }).changes),
      }),
    thousand: () =>
      latency(connection, token, {
        dataset: datasetId,
        what: () => `item?page=0&pageSize=${changed}`,
        check: expectItems(changed),
      }),
  }
  const values: Record<string, number[]> = {}
  for (const things of [paged, large]) {
    await inTurns(rounds / 4, things)
    Object.assign(values, await inTurns(rounds, things))
  }
  return [
    ...places.map((place) => ({
      what: `${place} page at ${at.toLocaleString('en')}`,
      value: median(values[`${place}, then`]!),
      unit: 'ms',
      limit: { what: 'the same of now', value: median(values[place]!) },
      goal: { atMost: 1.3 },
    })),
    {
      what: `a diff of ${changed.toLocaleString('en')} changes, all listed`,
      value: median(values['diff']!),
      unit: 'ms',
      limit: { what: 'a page of as many', value: median(values['thousand']!) },
    },
  ]
}

/** Proofs of items at random, beside the items. */
async function proofsOf(connection: Connection, token: string): Promise<Figure[]> {
  const authorization = `Bearer ${token}`
  const read = async (path: string) => {
    const request = requestBytes('GET', path, { authorization })
    const began = performance.now()
    const { status } = await connection.send(request)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    return performance.now() - began
  }
  const randomId = () => 1 + Math.floor(Math.random() * itemCount)
  const { proof, item } = await inTurns(proofs, {
    proof: () => read(`/api/repo/${datasetId}/item/${randomId()}/proof`),
    item: () => read(`/api/dataset/${datasetId}/item/${randomId()}`),
  })
  return [
    {
      what: 'the proof of an item at random',
      value: median(proof),
      unit: 'ms',
      limit: { what: 'an item at random', value: median(item) },
    },
  ]
}

/** Snapshots of now, and of some items more. */
async function snapshots(
  client: Client,
  { url, token }: { url: string; token: string },
): Promise<Figure[]> {
  const firstByte = async (at: number) => {
    const began = performance.now()
    for (;;) {
      const reply = await fetch(`${url}/api/dataset/${datasetId}@${at}/snapshot.parquet`, {
        headers: { authorization: `Bearer ${token}`, range: 'bytes=0-3' },
      })
      const body = await reply.text()
      if (reply.status === 206) return (performance.now() - began) / 1000
      if (reply.status !== 503) throw new Error(`${reply.status}: ${body}`)
    }
  }
  const partsOf = async (at: number) =>
    (await client.datasetSnapshot({ datasetId: `${datasetId}@${at}` })).parts
  const first = await firstByte(itemCount)
  const before = await partsOf(itemCount)
  const more = Array.from({ length: changed }, (_, at) => rowOf(itemCount + at).join(','))
  const body = `${[names.join(','), ...more].join('\n')}\n`
  await client.importBegin({ datasetId, format: 'csv', key: 'more', wait: 60, body } as never)
  const then = itemCount + changed
  const second = await firstByte(then)
  const now = await partsOf(then)
  const written = now.filter(({ sha256 }) => before.every((part) => part.sha256 !== sha256))
  return [
    { what: 'first byte of a new snapshot', value: first, unit: 's' },
    { what: 'parts of it', value: before.length, unit: '' },
    {
      what: `first byte with ${changed.toLocaleString('en')} items more`,
      value: second,
      unit: 's',
    },
    { what: 'parts written for that', value: written.length, unit: '', goal: { atMost: 1 } },
  ]
}

/** From a click on "Verify all" of an item to its outcome, in a browser. */
async function proofInBrowser(existing: {
  dataDir: string
  env: Record<string, string>
  dataset: string
}): Promise<Figure> {
  await using signedIn = await openSignedInBrowser(existing)
  const { page, server } = signedIn
  const values: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const id = 1 + Math.floor(Math.random() * itemCount)
    await page.goto(`${server.url}/dataset/${datasetId}/item/${id}`)
    const button = page.locator('::-p-aria(Verify all[role="button"])')
    await button.wait()
    values.push(
      await secondsOf(async () => {
        await button.click()
        await page.locator('::-p-text(It is entry)').wait()
      }),
    )
  }
  return { what: 'a proof in the browser, with every value', value: mean(values), unit: 's' }
}
