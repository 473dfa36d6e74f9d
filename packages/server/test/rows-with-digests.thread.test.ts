// @module-tag engines

import { join } from 'node:path'
import { addItem, sha256, verifyItem } from '@vitrine/client'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openBlobs } from '../src/blobs/open-blobs.ts'
import { readConfig } from '../src/config.ts'
import { openStore } from '../src/store/store.ts'
import { copyInstallation } from '../src/upkeep/installation/copy-installation.ts'
import { checkInstallation } from '../src/upkeep/verify/check-installation.ts'
import { createEmptyPlace } from './empty-place.ts'
import { findings } from './findings.ts'
import { startRestoredServer } from './restored-server.ts'
import { wholeImport } from './whole-import.ts'

const datasetId = 'towns'
const fields = ['name', 'people', 'near'] as const
const count = 5

/** A server with items whose rows have the sha256 of each value, as versions before there were checks wrote them. */
async function startWithDigests() {
  const server = await startRestoredServer()
  onTestFinished(() => server.close())
  const { client } = server
  const schema = [
    { name: 'name', type: 'string', length: 20 },
    { name: 'people', type: 'integer', optional: true },
    { name: 'near', type: 'reference', target: datasetId, optional: true },
  ]
  await client.repoCreate({ body: { name: datasetId, schema } })
  await addItem(client, datasetId, { name: 'Riva', people: 4000 })
  await addItem(client, datasetId, { name: 'Arco', near: 1 })
  const body = 'name,people,near\nNago,,1\nTorbole,900,\nDro,,\n'
  await wholeImport(client, { datasetId, format: 'csv', body })

  const readAll = async () => {
    const items = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        client.datasetItemGet({ datasetId, itemId: at + 1 }),
      ),
    )
    const exported = await server.request(`/api/dataset/towns/export?format=ndjson&integrity=true`)
    const entries = await server.request(`/api/repo/towns/log/tile/entries/000.p/${count}`)
    return { items, exported: await exported.text(), entries: await entries.text() }
  }
  const before = await readAll()
  await server.use((store) =>
    store.write(async (transaction) => {
      for (const { id, integrity } of before.items) {
        const digests = fields.map((field) => integrity?.[field]?.sha256 ?? '0'.repeat(64))
        const bytes = Buffer.from(digests.join(''), 'hex')
        await sql`update items_1 set digests = ${bytes} where id = ${id}`.execute(transaction)
      }
    }),
  )
  return { server, before, readAll }
}

test('rows with digests are read, matched and proven as those with checks', async () => {
  const { server, before, readAll } = await startWithDigests()
  const { client } = server
  expect(await readAll()).toEqual(before)
  for (let itemId = 1; itemId <= count; itemId += 1) {
    const of = { repo: datasetId, itemId }
    const { checks } = await verifyItem(client, of, { known: undefined, sha256 })
    expect(checks.filter(({ passed }) => passed === false)).toEqual([])
  }
  const options = { datasetId, format: 'ndjson' as const, match: ['name'], reason: 'a census' }
  const rows = before.exported
    .trim()
    .split('\n')
    .map((line) => {
      const { name, people } = JSON.parse(line) as { name: string; people?: number }
      return JSON.stringify(name === 'Dro' ? { name, people: 5000 } : { name, people })
    })
  const state = await wholeImport(client, { ...options, body: `${rows.join('\n')}\n` })
  expect(state).toMatchObject({ unchangedRows: 4, changedRows: 1, publishedRows: 1 })
  const own = { database: server.database, blobs: await server.blobs.open() }
  expect((await findings(own)).filter(({ kind }) => kind === 'damage')).toEqual([])

  await server.use((store) =>
    store.write((transaction) =>
      sql`update items_1 set f0 = 'Drau' where id = 5`.execute(transaction),
    ),
  )
  await server.scrub(0)
  expect(await client.damageList({})).toMatchObject([
    {
      sha256: before.items[4]?.integrity?.['name']?.sha256,
      values: [{ dataset: datasetId, item: 5, field: 'name' }],
    },
  ])
})

test('a copy has checks in the place of digests, and is whole', async () => {
  const { server } = await startWithDigests()
  const { env, drop } = await createEmptyPlace(join(server.dataDir, 'copy'))
  onTestFinished(drop)
  const to = readConfig({ ...env, VITRINE_LOG_LEVEL: 'silent' })
  await server.restart({}, async () => {
    await copyInstallation({ from: readConfig(server.environment()), to })
  })
  const store = await openStore(to)
  onTestFinished(() => store.close())
  const { rows } = await sql<{ digests: Uint8Array }>`select digests from items_1`.execute(
    store.reads,
  )
  expect(rows.map(({ digests }) => digests.length)).toEqual(Array(count).fill(13))
  const found = []
  for await (const finding of checkInstallation(store, await openBlobs(to))) found.push(finding)
  expect(found).toEqual([])
})
