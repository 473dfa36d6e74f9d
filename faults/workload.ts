import { setTimeout as sleep } from 'node:timers/promises'
import { addItem, ApiError, deleteDataset, type Client } from '@vitrine/client'
import { sha256 } from '../packages/server/test/photos.ts'
import type { Installation } from './installation.ts'
import { importRows, rows, things, type Ledger } from './ledger.ts'

const text = { type: 'string', length: 100 } as const

/** Makes the repositories that the load fills, once. */
export async function prepare(client: Client): Promise<void> {
  await client.repoCreate({
    body: {
      name: things,
      schema: [
        { name: 'title', ...text },
        { name: 'after', type: 'reference', target: things, optional: true },
        { name: 'file', type: 'binary', mime: 'text/plain' },
      ],
    },
  })
  await client.repoCreate({ body: { name: rows, schema: [{ name: 'text', ...text }] } })
}

export type Load = {
  /** How many replies there were with each status other than success; 0 is none at all. */
  refusals: Record<number, number>
  /** Resolves when every worker has stopped. */
  stop: () => Promise<void>
}

/** How many do each of these at a time. */
export type Workers = { inserts: number; imports: number; deletions: number; views: number }

const mixed: Workers = { inserts: 24, imports: 1, deletions: 1, views: 1 }

let names = 0
/** Views that stay; those after them are deleted once they were read. */
let keptViews = 0

/**
 * Works on an installation in every way that changes it, and notes in the ledger what was acknowledged.
 * A worker that gets no reply waits until it is told to stop, or a process answers again.
 */
export function work(installation: Installation, ledger: Ledger, workers: Workers = mixed): Load {
  const refusals: Record<number, number> = {}
  const end = new AbortController()

  const repeat = async (index: number, task: (client: Client) => Promise<void>) => {
    for (let turn = index; !end.signal.aborted; turn += 1) {
      try {
        await task(installation.client(turn))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refusals[error.status] = (refusals[error.status] ?? 0) + 1
        await sleep(100, undefined, { signal: end.signal }).catch(() => {})
      }
    }
  }
  const begin = (count: number, task: (client: Client) => Promise<void>) =>
    Array.from({ length: count }, (_, index) => repeat(index, task))

  const working = [
    ...begin(workers.inserts, (client) => insert(client, ledger)),
    ...begin(workers.imports, (client) => importSome(client, ledger, end.signal)),
    ...begin(workers.deletions, (client) => createAndDelete(client, ledger)),
    ...begin(workers.views, (client) => createView(client, ledger)),
  ]
  return {
    refusals,
    stop: async () => {
      end.abort()
      await Promise.all(working)
    },
  }
}

/** Some contents are those of others, and some of nobody else. */
const someContent = () => `content ${Math.random() < 0.3 ? Math.random() : names % 13}`

async function insert(client: Client, ledger: Ledger): Promise<void> {
  names += 1
  const values: Record<string, string> = { title: `item ${names}`, file: someContent() }
  const earlier = [...ledger.acknowledged.keys()].at(-1)
  if (earlier !== undefined && names % 2 === 1) values['after'] = String(earlier)
  const { id } = await client.insertBegin({ datasetId: things })
  ledger.begun(id)
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, value)
  form.set('file', new Blob([values['file']!], { type: 'text/plain' }))
  await client.insertUpload({ datasetId: things, itemId: id, body: form })
  const integrity = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { sha256: sha256(value) }]),
  )
  ledger.unsettled.set(id, integrity)
  await client.insertCommit({ datasetId: things, itemId: id, body: { integrity } })
  ledger.acknowledge(id, integrity)
}

/** An import on a full disk does not end before there is room, so it is left as it is. */
async function importSome(client: Client, ledger: Ledger, signal: AbortSignal): Promise<void> {
  names += 1
  const key = `import-${names}`
  const lines = Array.from({ length: 2000 }, (_, row) => `${key}/${row}`)
  ledger.imports.set(key, lines)
  const { state } = await importRows(client, key, lines, signal)
  if (state === 'done') ledger.importDone(key)
}

/** A repository that shares contents with the others, and is gone soon. */
async function createAndDelete(client: Client, ledger: Ledger): Promise<void> {
  names += 1
  const name = `scratch-${names}`
  const schema = [{ name: 'file', type: 'binary', mime: 'text/plain' }]
  await client.repoCreate({ body: { name, schema } })
  ledger.there.add(name)
  for (let item = 0; item < 3; item += 1) {
    await addItem(client, name, { file: new Blob([someContent()], { type: 'text/plain' }) })
  }
  ledger.there.delete(name)
  await deleteDataset(client, await client.datasetGet({ datasetId: name }))
  ledger.gone.add(name)
}

async function createView(client: Client, ledger: Ledger): Promise<void> {
  names += 1
  const name = `view-${names}`
  const where = { title: { ends_with: String(names % 10) } }
  await client.viewCreate({ body: { name, base: things, where, order: ['-title'] } })
  ledger.there.add(name)
  await client.datasetItemList({ datasetId: name, page: 0, pageSize: 20 })
  if (keptViews < 50) {
    keptViews += 1
    return
  }
  ledger.there.delete(name)
  await client.viewDelete({ datasetId: name })
  ledger.gone.add(name)
}
