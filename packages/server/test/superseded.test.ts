// @module-tag engines

import { addItem, correctItem } from '@vitrine/client'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { up } from '../src/store/migrations/010-superseded.ts'
import { datasetId, reason, startCatServer } from './cat-server.ts'

test('an upgrade finds which items do not hold any more, those of deleted repositories too', async () => {
  const server = await startCatServer()
  onTestFinished(() => server.close())
  const { client } = server
  const first = await addItem(client, datasetId, { name: 'Tim' })
  const second = await correctItem(client, datasetId, first, { values: { name: 'Tom' }, reason })
  const { id: third } = await server.withdraw(second)
  await correctItem(client, datasetId, third, { values: {}, reason: 'there it is' })
  await client.repoCreate({ body: { name: 'gone', schema: [{ name: 'name', type: 'string' }] } })
  const gone = await addItem(client, 'gone', { name: 'Tim' })
  await correctItem(client, 'gone', gone, { values: { name: 'Tom' }, reason })
  await client.repoDelete({ datasetId: 'gone' })
  await server.database.use(async ({ reads, write }) => {
    const rows = () =>
      reads.selectFrom('superseded').selectAll().orderBy('dataset_id').orderBy('position').execute()
    const before = await rows()
    expect(before.map(({ position, since }) => [position, since])).toEqual([
      [0, 1],
      [1, 2],
      [2, 2],
      [0, 1],
    ])
    await write(async (transaction) => {
      await sql`drop table superseded`.execute(transaction)
      await up(transaction as unknown as Kysely<unknown>)
    })
    expect(await rows()).toEqual(before)
  })
})
