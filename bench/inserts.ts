import { hash, randomBytes } from 'node:crypto'
import { createClient } from '@vitrine/client'
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

/** Items added in all three steps, every one durable before it is acknowledged. */
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
      for (const clients of clientCounts) {
        const measure = () =>
          insertsPerSecond(token, { ports: [server.port], repo, names, clients })
        await measure()
        const values = await inTurns(rounds, {
          inserts: measure,
          commits: () => limit.perSecond(seconds / 2),
        })
        figures.push({
          what: `items ${kind}, ${clients === 1 ? '1 client' : `${clients} clients`}`,
          value: median(values.inserts),
          unit: '/s',
          limit: { what: limit.what, value: median(values.commits) },
        })
      }
    }
    return figures
  },
}

/** How many items so many clients add, each one after the other at one of the servers. */
export async function insertsPerSecond(
  token: string,
  {
    ports,
    repo,
    names,
    clients,
    seconds: lasting = seconds,
  }: { ports: number[]; repo: string; names: string[]; clients: number; seconds?: number },
): Promise<number> {
  const authorization = `Bearer ${token}`
  const path = `/api/repo/${repo}/item`
  const insert = async (connection: Connection) => {
    const begin = requestBytes('POST', path, { authorization })
    const { id } = expectJson(await connection.send(begin), 201) as { id: number }
    const values = names.map((name) => [name, valueOf(name, id)] as const)
    const form = multipart(values)
    const upload = requestBytes(
      'POST',
      `${path}/${id}`,
      { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` },
      form,
    )
    expectJson(await connection.send(upload), 200)
    const integrity = Object.fromEntries(
      values.map(([name, bytes]) => [name, { sha256: hash('sha256', bytes) }]),
    )
    const commit = requestBytes(
      'POST',
      `${path}/${id}/commit`,
      { authorization, 'content-type': 'application/json' },
      Buffer.from(JSON.stringify({ integrity })),
    )
    expectJson(await connection.send(commit), 200)
  }

  const open = await Promise.all(
    Array.from({ length: clients }, (_, client) => Connection.open(ports[client % ports.length]!)),
  )
  const began = performance.now()
  let added = 0
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() - began < lasting * 1000) {
        await insert(connection)
        added += 1
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  for (const connection of open) connection.close()
  return added / took
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Every picture is another one: a blob that is there already would be no work. */
function valueOf(name: string, id: number): Buffer {
  return name === 'picture'
    ? Buffer.concat([pngSignature, randomBytes(pictureBytes - pngSignature.length)])
    : Buffer.from(`The ${name} of item ${id}, as long as such a text often is`)
}

const boundary = 'bench-9f3c1d'

/** RFC 7578; the parts of texts say their type, as those of the product's client do. */
function multipart(values: readonly (readonly [string, Buffer])[]): Buffer {
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
