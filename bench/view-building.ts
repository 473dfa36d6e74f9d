import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import { caughtUp } from './caught-up.ts'
import { Connection, requestBytes } from './connection.ts'
import { longestHold, watchedThrough } from './longest-hold.ts'
import type { Measurement } from './measurement.ts'
import { startSignedInServer, type SignedInServer } from './signed-in-server.ts'
import { median } from './statistics.ts'

const size = 3_000_000
const rounds = 3
const readers = 64

const kinds = {
  filtered: { where: { title: { ends_with: '7' } } },
  'filtered by what a reference leads to': { where: { 'related.title': { ends_with: '7' } } },
  'that all items pass': { where: { related: { gte: 1 } } },
  ordered: { order: 'title' },
}

/** How fast a view looks at millions of items, and for how long that and readers hold the event loop. */
export const viewBuilding: Measurement = {
  name: 'view-building',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const socket = join(folder, 'event-loop')
    const database = await engine.filledDatabase(opened)
    const copied = opened.use(await startSignedInServer({ ...database, ...watchedThrough(socket) }))
    const client = createClient({ baseUrl: copied.server.url, token: () => copied.token })
    const build = async (name: string, clauses: object) => {
      const began = performance.now()
      await client.viewCreate({ body: { name, base: `items-${size}`, ...clauses } })
      await caughtUp(copied, name)
      return (performance.now() - began) / 1000
    }
    const rates: Record<string, number[]> = {}
    const holds: Record<string, number[]> = {}
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, [kind, clauses]] of Object.entries(kinds).entries()) {
        ;(rates[kind] ??= []).push(size / (await build(`alone-${round}-${index}`, clauses)))
        await longestHold(socket)
        await whileReading(copied, () => build(`read-${round}-${index}`, clauses))
        ;(holds[kind] ??= []).push(await longestHold(socket))
      }
    }
    return [
      ...Object.entries(rates).map(([kind, values]) => ({
        what: `items looked at for a view ${kind}`,
        value: median(values) / 1e6,
        unit: 'million/s',
        ...(kind === 'filtered' && { goal: { atLeast: 3 } }),
      })),
      ...Object.entries(holds).map(([kind, values]) => ({
        what: `longest hold, a view ${kind}, ${readers} readers`,
        value: median(values),
        unit: 'ms',
        goal: { atMost: 50 },
      })),
    ]
  },
}

async function whileReading(
  { server, token }: SignedInServer,
  work: () => Promise<unknown>,
): Promise<void> {
  const requests = Array.from({ length: 500 }, (_, index) =>
    requestBytes('GET', `/api/dataset/items-100000/item?page=${index * 9}`, {
      authorization: `Bearer ${token}`,
    }),
  )
  const open = await Promise.all(
    Array.from({ length: readers }, () => Connection.open(server.port)),
  )
  const over = new AbortController()
  let next = 0
  const reading = open.map(async (connection) => {
    while (!over.signal.aborted) {
      const { status, body } = await connection.send(requests[next++ % requests.length]!)
      if (status !== 200) throw new Error(`${status}: ${body.toString()}`)
    }
  })
  await work()
  over.abort()
  await Promise.all(reading)
  for (const connection of open) connection.close()
}
