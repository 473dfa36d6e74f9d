import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItems, createClient } from '@vitrine/client'
import { longestHold, watchedThrough } from './longest-hold.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'

/** Memory of the whole process at most, in bytes. */
const memoryMax = 512 * 1024 ** 2
/** Rows of a million characters. */
const rows = Number(process.env['FAT_ROWS'] ?? 300)
/** Words that compress to a third, and differ from row to row. */
const words = Array.from({ length: 150_000 }, (_, at) => ((at * 7919) % 1_000_003).toString(36))
const text = words.join(' ').slice(0, 499_990)

const reads: Record<string, string> = {
  'a search': '/api/dataset/texts/item?q=nowhere&pageSize=20',
  'a search in a million U+FDFA': '/api/dataset/ligatures/item?q=nowhere',
  'an order': '/api/dataset/texts/item?order=-text&pageSize=20',
  'a page of 20': '/api/dataset/texts/item?pageSize=20',
  'a page of 1,000': '/api/dataset/texts/item?pageSize=1000',
  'a summary': '/api/dataset/texts/summary',
  NDJSON: '/api/dataset/texts/export?format=ndjson',
  CSV: '/api/dataset/texts/export?format=csv',
  Parquet: '/api/dataset/texts/export?format=parquet',
  'a zip': '/api/dataset/texts/export?format=zip',
  'a snapshot': `/api/dataset/texts@${rows}/snapshot.parquet`,
}

/** The most memory of a server while it reads rows of megabytes, and for how long its event loop is held. */
export const fatRows: Measurement = {
  name: 'fat-rows',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-fat-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const socket = join(folder, 'event-loop')
    const env = { ...(await engine.newDatabase()), ...watchedThrough(socket) }
    const { server, token } = opened.use(await startSignedInServer(env))
    const client = createClient({ baseUrl: server.url, token: () => token })
    for (const name of ['texts', 'ligatures']) {
      const schema = [{ name: 'text', type: 'string', length: 1_000_000 }]
      await client.repoCreate({ body: { name, schema } })
    }
    const items = function* () {
      for (let row = 0; row < rows; row += 1) yield { text: `${row} ${text}${text.slice(row)}` }
    }
    for await (const added of addItems(client, 'texts', items())) check(added)
    for await (const added of addItems(client, 'ligatures', [{ text: '\ufdfa'.repeat(1e6) }])) {
      check(added)
    }
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(reads)) {
      server.resetPeak()
      await longestHold(socket)
      const reply = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${token}` },
      })
      let bytes = 0
      for await (const chunk of reply.body ?? []) bytes += chunk.length
      const held = await longestHold(socket)
      const whole = `${what} (${reply.status}, ${bytes} bytes)`
      figures.push(
        { what: whole, value: server.peakMemory(), unit: 'bytes', goal: { atMost: memoryMax } },
        { what: `${what}: the event loop held`, value: held, unit: 'ms' },
      )
    }
    return figures
  },
}

function check(added: object): void {
  if ('error' in added) throw added.error
}
