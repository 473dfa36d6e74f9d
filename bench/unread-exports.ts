import { request, type IncomingMessage } from 'node:http'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@vitrine/client'
import type { Measurement } from './measurement.ts'
import { startSignedInServer, type SignedInServer } from './signed-in-server.ts'
import { importFile, names, rowOf, writeRows } from './transfers.ts'

const exportsOpen = 60
/** Until nothing goes on any more, and threads that nobody uses have ended. */
const settledMs = 20_000
const memoryMax = 320 * 1024 ** 2

/** Memory while many people have begun exports that nobody reads, and once they have gone. */
export const unreadExports: Measurement = {
  name: 'unread-exports',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-unread-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'rows.csv')
    writeRows(file, [names.join(',')], (row) => rowOf(row).join(','))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const database = await engine.newDatabase()
    {
      await using filling = await startSignedInServer(database, { dataDir })
      const client = createClient({ baseUrl: filling.server.url, token: () => filling.token })
      await importFile(client, { format: 'csv', file })
    }
    const signedIn = opened.use(await startSignedInServer(database, { dataDir }))
    const { server } = signedIn
    const before = server.memory()
    const formats = ['csv', 'ndjson', 'parquet']
    const unread = await Promise.all(
      Array.from({ length: exportsOpen }, (_, at) => download(signedIn, formats[at % 3]!)),
    )
    await sleep(settledMs)
    const during = server.memory()
    for (const response of unread) response.destroy()
    await sleep(settledMs)
    const figure = (what: string, value: number) => ({ what, value, unit: 'bytes' })
    return [
      figure('memory before', before),
      {
        ...figure(`${exportsOpen} exports that nobody reads`, during),
        goal: { atMost: memoryMax },
      },
      { ...figure('once they have gone', server.memory()), goal: { atMost: memoryMax } },
    ]
  },
}

function download({ server, token }: SignedInServer, format: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const url = `${server.url}/api/dataset/csv/export?format=${format}`
  const options = { headers: { authorization: `Bearer ${token}` }, agent: false }
  request(url, options, resolve).on('error', reject).end()
  return promise
}
