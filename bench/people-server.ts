import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItems, createClient, type Client } from '@vitrine/client'
import { readConfig } from '../packages/server/src/config.ts'
import { segmentItems } from '../packages/server/src/search-index/segment-filter.ts'
import { countSegments } from '../packages/server/src/store/search-slices.ts'
import { openStore } from '../packages/server/src/store/store.ts'
import type { Engine } from './engine.ts'
import { countries, countryName, fillPeople } from './people.ts'
import { startProcesses } from './signed-in-server.ts'

export type PeopleServer = {
  client: Client
  token: string
  /** Ports of its processes. */
  ports: number[]
  /** Waits until the texts of all whole segments are indexed. */
  untilIndexed: () => Promise<void>
}

/** Starts a server with so many people in the repository `people`, each from one of the `countries`. */
export async function startPeopleServer(
  opened: AsyncDisposableStack,
  engine: Engine,
  size: number,
  { processes = 1 } = {},
): Promise<PeopleServer> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const { VITRINE_DATABASE_URL: url = `sqlite:${join(folder, 'vitrine.db')}` } =
    await engine.newDatabase()
  const env = { VITRINE_DATABASE_URL: url }
  const { server, token, ports } = await startProcesses(opened, env, processes)
  const client = createClient({ baseUrl: server.url, token: () => token })
  const name = { name: 'name', type: 'string', length: 40 }
  await client.repoCreate({ body: { name: 'countries', schema: [name] } })
  const rows = Array.from({ length: countries }, (_, index) => ({ name: countryName(index) }))
  for await (const added of addItems(client, 'countries', rows)) {
    if ('error' in added) throw added.error
  }
  const country = { name: 'country', type: 'reference', target: 'countries' }
  await client.repoCreate({ body: { name: 'people', schema: [name, country] } })
  const store = await openStore(readConfig({ VITRINE_DATABASE_URL: url }))
  opened.defer(() => store.close())
  const repoId = await fillPeople(store, size)
  return {
    client,
    token,
    ports,
    untilIndexed: async () => {
      while ((await countSegments(store.reads, repoId)) < Math.floor(size / segmentItems)) {
        await client.datasetGet({ datasetId: 'people' })
      }
    },
  }
}
