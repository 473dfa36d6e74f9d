import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Finding } from '../src/upkeep/verify/check-installation.ts'
import { findings } from './findings.ts'
import { startTestServer } from './server.ts'
import { png, sha256, startPhotoServer, type PhotoServer } from './photos.ts'

let server: PhotoServer

beforeAll(async () => {
  server = await startPhotoServer()
  const image = (byte: number) => new Blob([png, new Uint8Array([byte])], { type: 'image/png' })
  for (const byte of [0, 1, 2]) {
    await addItem(server.client, 'photos', { title: `t${byte}`, by: 1, image: image(byte) })
  }
})

afterAll(() => server.close())

const digest = (byte: number) => sha256(Buffer.concat([png, Buffer.from([byte])]))

const check = async () => findings({ database: server.database, blobs: await server.blobs.open() })

async function alter(statement: string): Promise<void> {
  await server.database.use((store) =>
    store.write((transaction) => sql.raw(statement).execute(transaction)),
  )
}

// In this order: each damage stays, and the next one adds to it.
test('a check finds nothing where nothing is wrong, and then every damage', async () => {
  const people = 'people'
  expect(await check()).toEqual([])
  const found: Finding[] = []
  const expectAlso = async (...more: Omit<Finding, 'kind'>[]) => {
    found.push(...more.map((finding) => ({ kind: 'damage' as const, ...finding })))
    const all = await check()
    expect(all).toHaveLength(found.length)
    expect(all).toEqual(expect.arrayContaining(found))
  }

  const flipped = Buffer.concat([png, Buffer.from([9])])
  await server.blobs.put(digest(0), flipped)
  await expectAlso({ where: digest(0), what: 'its bytes are not those of its digest' })

  await server.blobs.put(digest(1), 'short')
  await expectAlso({ where: digest(1), what: `it has 5 bytes, not ${flipped.length}` })

  await (await server.blobs.open()).remove(digest(2))
  await expectAlso({
    where: digest(2),
    what: 'its bytes are missing',
  })

  await alter(`update items_2 set f0 = 'other' where id = 1`)
  await expectAlso({ where: 'photos/1', what: 'title is not what was sealed' })

  await alter(`update items_2 set leaf = items_2.digests where id = 3`)
  await expectAlso({ where: 'photos/3', what: 'is not what its log says' })

  await alter('delete from blob_references where item_id = 2')
  found.push({ kind: 'leftover', where: digest(1), what: 'nobody holds it' })
  await expectAlso({ where: 'photos/2', what: 'image holds a blob that is not noted for it' })

  await alter('delete from items_1 where id = 1')
  await expectAlso(
    { where: people, what: 'only 0 of 1 items from position 0' },
    ...[1, 2, 3].map((id) => ({
      where: `photos/${id}`,
      what: 'by refers to no item of "people"',
    })),
  )
})

test('a hash in a log that is not that of its entries is found', { tags: 'long' }, async () => {
  const words = await startTestServer()
  const datasetId = 'words'
  const schema = [{ name: 'word', type: 'string', length: 10 }]
  await words.client.repoCreate({ body: { name: datasetId, schema } })
  const body = Array.from({ length: 300 }, (_, row) => `{"word":"${row}"}\n`).join('')
  await words.client.importBegin({ datasetId, format: 'ndjson', body } as never)
  await words.client.logCheckpoint({ datasetId })
  // What the import used may not be collected yet.
  const look = async () =>
    (await findings({ database: words.database, blobs: await words.blobs.open() })).filter(
      ({ kind }) => kind === 'damage',
    )
  expect(await look()).toEqual([])
  await words.database.use((store) =>
    store.write((transaction) =>
      sql`update log_nodes set hash = (select leaf from items_1 where id = 1)`.execute(transaction),
    ),
  )
  const what = 'the log is not that of its items from position 0'
  expect(await look()).toEqual([{ kind: 'damage', where: datasetId, what }])
  await words.close()
})
