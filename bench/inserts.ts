import { hash, randomBytes, randomUUID } from 'node:crypto'
import { createClient } from '@vitrine/client'
import { integrityPart } from '@vitrine/contract'
import { Connection, expectJson, requestBytes } from './connection.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const rounds = 5
const seconds = 2
const clientCounts = [1, 64]
const pictureBytes = 4096

const kinds = {
  'of two texts': [
    { name: 'title', type: 'string', length: 120 },
    { name: 'note', type: 'string', length: 400 },
  ],
  'of a text and a picture of 4 KiB': [
    { name: 'title', type: 'string', length: 120 },
    { name: 'picture', type: 'binary', mime: 'image/png' },
  ],
}

/** Items added one after the other by each client, every one durable before it is acknowledged. */
export const inserts: Measurement = {
  name: 'inserts',
  run: async (opened, engine) => {
    const { server, token } = opened.use(await startSignedInServer(await engine.newDatabase()))
    const limit = await engine.durableCommits(opened)
    const client = createClient({ baseUrl: server.url, token: () => token })
    const figures: Figure[] = []
    for (const [index, [kind, schema]] of Object.entries(kinds).entries()) {
      const repo = `inserts-${index}`
      await client.repoCreate({ body: { name: repo, schema } })
      const names = schema.map(({ name }) => name)
      for (const way of waysOf(names)) {
        for (const clients of clientCounts) {
          const measure = () =>
            insertsPerSecond(token, { ports: [server.port], repo, names, clients, way })
          await measure()
          const values = await inTurns(rounds, {
            inserts: measure,
            commits: () => limit.perSecond(seconds / 2),
          })
          figures.push({
            what: `items ${kind}, ${way}, ${clients === 1 ? '1 client' : `${clients} clients`}`,
            value: median(values.inserts),
            unit: '/s',
            limit: { what: limit.what, value: median(values.commits) },
          })
        }
      }
    }
    return figures
  },
}

export type Way = 'in three steps' | 'in one request' | `${number} a request`

/** Items of one request of several. */
const batch = 64

/** Files go by themselves. */
function waysOf(names: readonly string[]): Way[] {
  const single: Way[] = ['in three steps', 'in one request']
  return names.includes('picture') ? single : [...single, `${batch} a request`]
}

/** How many items so many clients add, each one after the other at one of the servers. */
export async function insertsPerSecond(
  token: string,
  {
    ports,
    repo,
    names,
    clients,
    way = 'in three steps',
    seconds: lasting = seconds,
  }: {
    ports: number[]
    repo: string
    names: string[]
    clients: number
    way?: Way
    seconds?: number
  },
): Promise<number> {
  const authorization = `Bearer ${token}`
  const target = { repo, names, authorization }
  const insert = (connection: Connection) => {
    if (way === 'in three steps') return inThreeSteps(connection, target)
    return way === 'in one request' ? inOneRequest(connection, target) : inBatch(connection, target)
  }
  return countPerSecond(insert, { ports, clients, seconds: lasting })
}

/** How much so many clients do in a second; `work` does some of it over a connection, and returns how much. */
export async function countPerSecond(
  work: (connection: Connection) => Promise<number>,
  {
    ports,
    clients,
    seconds: lasting = seconds,
  }: { ports: number[]; clients: number; seconds?: number },
): Promise<number> {
  const open = await Promise.all(
    Array.from({ length: clients }, (_, client) => Connection.open(ports[client % ports.length]!)),
  )
  const began = performance.now()
  let total = 0
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() - began < lasting * 1000) {
        const count = await work(connection)
        total += count
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  for (const connection of open) connection.close()
  return total / took
}

type Target = { repo: string; names: string[]; authorization: string }

async function inThreeSteps(
  connection: Connection,
  { repo, names, authorization }: Target,
): Promise<number> {
  const path = `/api/repo/${repo}/item`
  const begin = requestBytes('POST', path, { authorization })
  const { id } = expectJson(await connection.send(begin), 201) as { id: number }
  const values = valuesOf(names)
  const upload = requestBytes(
    'POST',
    `${path}/${id}`,
    { authorization, 'content-type': formType },
    multipart(values),
  )
  expectJson(await connection.send(upload), 200)
  const commit = requestBytes(
    'POST',
    `${path}/${id}/commit`,
    { authorization, 'content-type': 'application/json' },
    Buffer.from(JSON.stringify({ integrity: integrityOf(values) })),
  )
  expectJson(await connection.send(commit), 200)
  return 1
}

async function inOneRequest(
  connection: Connection,
  { repo, names, authorization }: Target,
): Promise<number> {
  const values = valuesOf(names)
  const integrity = Buffer.from(JSON.stringify(integrityOf(values)))
  const request = requestBytes(
    'POST',
    `/api/repo/${repo}/items?key=${randomUUID()}`,
    { authorization, 'content-type': formType },
    multipart([...values, [integrityPart, integrity]]),
  )
  expectJson(await connection.send(request), 201)
  return 1
}

async function inBatch(
  connection: Connection,
  { repo, names, authorization }: Target,
): Promise<number> {
  const items = Array.from({ length: batch }, () => {
    const values = valuesOf(names)
    const texts = values.map(([name, bytes]) => [name, bytes.toString()])
    return { key: randomUUID(), values: Object.fromEntries(texts), integrity: integrityOf(values) }
  })
  const request = requestBytes(
    'POST',
    `/api/repo/${repo}/items/batch`,
    { authorization, 'content-type': 'application/json' },
    Buffer.from(JSON.stringify({ items })),
  )
  const reply = expectJson(await connection.send(request), 200) as { items: object[] }
  if (!reply.items.every((each) => 'id' in each)) throw new Error(JSON.stringify(reply))
  return batch
}

type Values = readonly (readonly [string, Buffer])[]

let valuesMade = 0

function valuesOf(names: string[]): Values {
  valuesMade += 1
  return names.map((name) => [name, valueOf(name, valuesMade)] as const)
}

function integrityOf(values: Values): Record<string, { sha256: string }> {
  return Object.fromEntries(
    values.map(([name, bytes]) => [name, { sha256: hash('sha256', bytes) }]),
  )
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Every picture is another one: a blob that is there already would be no work. */
function valueOf(name: string, id: number): Buffer {
  return name === 'picture'
    ? Buffer.concat([pngSignature, randomBytes(pictureBytes - pngSignature.length)])
    : Buffer.from(`The ${name} of item ${id}, as long as such a text often is`)
}

const boundary = 'bench-9f3c1d'
const formType = `multipart/form-data; boundary=${boundary}`

/** RFC 7578; the parts of texts say their type, as those of the product's client do. */
function multipart(values: Values): Buffer {
  const parts = values.flatMap(([name, bytes]) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="blob"\r\n` +
        `Content-Type: ${name === 'picture' ? 'image/png' : 'text/plain'}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}
