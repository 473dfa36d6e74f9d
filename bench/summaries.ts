import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItem, createClient, type Client } from '@vitrine/client'
import { fillDatabase } from './fill-database.ts'
import type { Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { median } from './statistics.ts'

const size = Number(process.env['SUMMARY_ITEMS'] ?? 1_000_000)
const added = 1000
const clients = 8
const reads = 50

/** How long the summary of a million items takes the first time, after that, and after a thousand more. */
export const summaries: Measurement = {
  name: 'summaries',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const { VITRINE_DATABASE_URL: url = `sqlite:${join(folder, 'vitrine.db')}` } =
      await engine.newDatabase()
    await fillDatabase(url, [10, size])
    const { server, token } = opened.use(await startSignedInServer({ VITRINE_DATABASE_URL: url }))
    const client = createClient({ baseUrl: server.url, token: () => token })
    const few = await read(client, 'items-10')
    const first = await read(client, `items-${size}`)
    const again: number[] = []
    for (let count = 0; count < reads; count += 1) again.push(await read(client, `items-${size}`))
    await add(client)
    const after = await read(client, `items-${size}`)
    const items = `${size.toLocaleString('en')} items`
    const limit = { what: 'of 10 items, the first time', value: few }
    return [
      { what: `summary of ${items}, the first time`, value: first / 1000, unit: 's' },
      { what: 'again', value: median(again), unit: 'ms', goal: { atMost: 50 } },
      { what: `after ${added} more`, value: after, unit: 'ms', limit },
    ]
  },
}

/** Reads a summary until it is whole; the milliseconds that it takes. */
async function read(client: Client, datasetId: string): Promise<number> {
  const began = performance.now()
  while (!(await client.datasetSummary({ datasetId, partial: true })).exact);
  return performance.now() - began
}

async function add(client: Client): Promise<void> {
  const picture = new Blob([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], { type: 'image/png' })
  let next = 0
  const adding = Array.from({ length: clients }, async () => {
    while (next < added) {
      next += 1
      await addItem(client, `items-${size}`, { title: `added ${next}`, related: 1, picture })
    }
  })
  await Promise.all(adding)
}
