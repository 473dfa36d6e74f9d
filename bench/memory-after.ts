import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@vitrine/client'
import { insertsPerSecond } from './inserts.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startServerProcess } from './server-process.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { exportAll, importFile, names, rowOf, writeRows } from './transfers.ts'

/** `MEMORY_MINUTES=60 npm run bench memory-after` for the goal. */
const minutes = Number(process.env['MEMORY_MINUTES'] ?? 10)
const searches = 20

/** Memory once work is over: an import and exports of a million rows, searches, and items added by many clients. */
export const memoryAfter: Measurement = {
  name: 'memory-after',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-memory-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'rows.csv')
    writeRows(file, [names.join(',')], (row) => rowOf(row).join(','))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const bare = { file: fileURLToPath(import.meta.resolve('./peers/bare-server.ts')) }
    const fastify = opened.use(await startServerProcess(bare))
    const signedIn = opened.use(await startSignedInServer(await engine.newDatabase(), { dataDir }))
    const { server, token } = signedIn
    const client = createClient({ baseUrl: server.url, token: () => token })
    server.resetPeak()
    await importFile(client, { format: 'csv', file })
    for (const format of ['csv', 'parquet', 'zip']) await exportAll(signedIn, format)
    for (let index = 0; index < searches; index += 1) {
      await client.datasetItemList({
        datasetId: 'csv',
        q: `City ${index * 4999}`,
        page: 0,
        pageSize: 20,
      })
    }
    await client.repoCreate({ body: { name: 'words', schema: wordSchema } })
    const added = { ports: [server.port], repo: 'words', names: ['word'], clients: 64, seconds: 10 }
    await insertsPerSecond(token, added)

    const figures: Figure[] = [{ what: 'most memory', value: server.peakMemory(), unit: 'bytes' }]
    const beside = (what: string, goal?: Figure['goal']): Figure => {
      const limit = { what: 'bare Fastify', value: fastify.memory() }
      return { what, value: server.memory(), unit: 'bytes', limit, ...(goal && { goal }) }
    }
    await sleep(60_000)
    figures.push(beside('memory a minute after work'))
    await sleep((minutes - 1) * 60_000)
    figures.push(beside(`memory ${minutes} minutes after work`, { atMost: 1 / 0.6 }))
    return figures
  },
}

const wordSchema = [{ name: 'word', type: 'string', length: 120 }]
