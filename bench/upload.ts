import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@vitrine/client'
import { Connection, expectJson } from './connection.ts'
import type { Measurement } from './measurement.ts'
import { startServerProcess } from './server-process.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { inTurns, median } from './statistics.ts'

const chunk = randomBytes(1024 ** 2)
const chunks = 1024
const gib = chunk.length * chunks
const mib = 1024 ** 2
const rounds = 3
const boundary = 'bench-9f3c1d'

/**
 * One value of 1 GiB as multipart form data, against hashing as much and against writing as much. The
 * same as the bare value, and to a server that only receives, say what else takes its time.
 */
export const upload: Measurement = {
  name: 'upload',
  run: async (opened, engine) => {
    const { server, token } = opened.use(await startSignedInServer(await engine.newDatabase()))
    const discarding = opened.use(
      await startServerProcess({ file: fileURLToPath(import.meta.resolve('./discard-server.ts')) }),
    )
    const client = createClient({ baseUrl: server.url, token: () => token })
    const schema = [{ name: 'file', type: 'binary', mime: 'application/octet-stream' }]
    await client.repoCreate({ body: { name: 'uploads', schema } })
    const growth: number[] = []
    const values = await inTurns(rounds, {
      upload: async () => {
        const { id } = await client.insertBegin({ datasetId: 'uploads' })
        server.resetPeak()
        const before = server.memory()
        const rate = await sendGib(server.port, `/api/repo/uploads/item/${id}`, form(token))
        growth.push((server.peakMemory() - before) / mib)
        return rate
      },
      bare: async () => {
        const { id } = await client.insertBegin({ datasetId: 'uploads' })
        return sendGib(server.port, `/api/repo/uploads/item/${id}/field/file`, bare(token))
      },
      received: () => sendGib(discarding.port, '/', bare(token)),
      sha256: async () => gib / mib / hashGib(),
      disk: async () => gib / mib / (await writeGib(join(server.dataDir, 'limit.tmp'))),
    })
    const [sha256, disk] = [median(values.sha256), median(values.disk)]
    return [
      {
        what: 'upload of 1 GiB',
        value: median(values.upload),
        unit: 'MiB/s',
        limit: {
          what: sha256 < disk ? 'sha256' : 'write and fsync',
          value: Math.min(sha256, disk),
        },
        goal: { atLeast: 0.7 },
      },
      {
        what: 'server memory during it, at most',
        value: Math.max(...growth),
        unit: 'MiB more',
        goal: { atMost: 64 },
      },
      { what: 'upload of 1 GiB without a form', value: median(values.bare), unit: 'MiB/s' },
      {
        what: 'a server that only receives 1 GiB',
        value: median(values.received),
        unit: 'MiB/s',
      },
      { what: 'sha256 of 1 GiB', value: sha256, unit: 'MiB/s' },
      { what: 'write and fsync of 1 GiB', value: disk, unit: 'MiB/s' },
    ]
  },
}

/** How the value is put: what stands before and after its bytes, and the headers that say so. */
type Envelope = { headers: Record<string, string>; before: string; after: string }

const bare = (token: string): Envelope => ({
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
  before: '',
  after: '',
})

const form = (token: string): Envelope => ({
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  },
  before:
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n',
  after: `\r\n--${boundary}--\r\n`,
})

/** In MiB a second. */
async function sendGib(
  port: number,
  path: string,
  { headers, before, after }: Envelope,
): Promise<number> {
  const connection = await Connection.open(port)
  const { socket } = connection
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const began = performance.now()
  const reply = connection.reply()
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}` +
      `content-length: ${before.length + gib + after.length}\r\n\r\n${before}`,
  )
  for (let sent = 0; sent < chunks; sent += 1) {
    if (!socket.write(chunk)) await once(socket, 'drain')
  }
  socket.write(after)
  expectJson(await reply, 200)
  const seconds = (performance.now() - began) / 1000
  connection.close()
  return gib / mib / seconds
}

function hashGib(): number {
  const began = performance.now()
  const hash = createHash('sha256')
  for (let done = 0; done < chunks; done += 1) hash.update(chunk)
  hash.digest()
  return (performance.now() - began) / 1000
}

async function writeGib(path: string): Promise<number> {
  const began = performance.now()
  const file = await open(path, 'w')
  for (let done = 0; done < chunks; done += 1) await file.write(chunk)
  await file.sync()
  await file.close()
  const took = (performance.now() - began) / 1000
  await rm(path)
  return took
}
