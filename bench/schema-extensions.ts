import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItem, createClient, type Client } from '@vitrine/client'
import { fillDatabase } from './fill-database.ts'
import type { Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const sizes = [10, 10_000_000] as const
const rounds = 10
const clients = 8

/** How long a repository of ten million items takes to be extended, alone and while items are added to it. */
export const schemaExtensions: Measurement = {
  name: 'schema-extensions',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const { VITRINE_DATABASE_URL: url = `sqlite:${join(folder, 'vitrine.db')}` } =
      await engine.newDatabase()
    await fillDatabase(url, sizes)
    const { server, token } = opened.use(await startSignedInServer({ VITRINE_DATABASE_URL: url }))
    const client = createClient({ baseUrl: server.url, token: () => token })
    const [few, many] = sizes.map((size) => () => extend(client, `items-${size}`)) as [
      () => Promise<number>,
      () => Promise<number>,
    ]
    const alone = await inTurns(rounds, { few, many })
    const beside = await whileAdding(client, `items-${sizes[1]}`, () =>
      inTurns(rounds, { few, many }),
    )
    const limit = { what: `of ${sizes[0]} items`, value: median(alone.few) }
    const besideLimit = { what: `of ${sizes[0]} items`, value: median(beside.result.few) }
    return [
      { what: 'extending 10 million items', value: median(alone.many), unit: 'ms', limit },
      {
        what: `the same, ${clients} clients adding items`,
        value: median(beside.result.many),
        unit: 'ms',
        limit: besideLimit,
      },
      { what: 'the longest of them', value: Math.max(...beside.result.many), unit: 'ms' },
      { what: 'the longest addition of an item meanwhile', value: beside.longest, unit: 'ms' },
    ]
  },
}

/** Adds a number and a picture to a schema; the milliseconds that it takes. */
async function extend(client: Client, datasetId: string): Promise<number> {
  const { schema } = await client.datasetGet({ datasetId })
  const more = [
    { name: `n${schema.length}`, type: 'integer', optional: true },
    { name: `p${schema.length}`, type: 'binary', mime: 'image/*', optional: true },
  ]
  const body = { name: datasetId, schema: [...schema, ...more] }
  const began = performance.now()
  await client.repoExtend({ datasetId, body })
  return performance.now() - began
}

async function whileAdding<T>(
  client: Client,
  datasetId: string,
  work: () => Promise<T>,
): Promise<{ result: T; longest: number }> {
  const over = new AbortController()
  const picture = new Blob([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], { type: 'image/png' })
  let longest = 0
  const add = async () => {
    while (!over.signal.aborted) {
      const began = performance.now()
      await addItem(client, datasetId, { title: 'one more', related: 1, picture })
      longest = Math.max(longest, performance.now() - began)
    }
  }
  const adding = Promise.all(Array.from({ length: clients }, add))
  const result = await work().finally(() => over.abort())
  await adding
  return { result, longest }
}
