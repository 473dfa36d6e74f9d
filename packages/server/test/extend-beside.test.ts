import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { itemTable } from '../src/store/items.ts'
import { findDataset } from '../src/store/datasets.ts'
import { startTestServer } from './server.ts'
import { isOnSqlite } from './test-database.ts'

const title = { name: 'title', type: 'string', length: 20 }
const stars = { name: 'stars', type: 'integer', optional: true }
const datasetId = 'notes'

// On SQLite readers see the tables as they were, and there is one writer.
describe.skipIf(isOnSqlite)('a table that a transaction reads for long', () => {
  test('is extended once the transaction ends, while others read it and add to it', async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const { client } = server
    await client.repoCreate({ body: { name: datasetId, schema: [title] } })
    await addItem(client, datasetId, { title: 'first' })
    const other = await server.database.open()
    const began = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const reading = other.write(async (transaction) => {
      const { id } = (await findDataset(transaction, datasetId))!
      await sql`select position from ${itemTable(id)}`.execute(transaction)
      began.resolve()
      await over.promise
    })
    await began.promise
    let isExtended = false
    const extending = client
      .repoExtend({ datasetId, body: { name: datasetId, schema: [title, stars] } })
      .then(() => (isExtended = true))
    for (let round = 0; round < 20; round += 1) {
      const item = await client.datasetItemGet({ datasetId, itemId: 1 })
      expect(item.data).toEqual({ title: 'first' })
      await addItem(client, datasetId, { title: `more ${round}` })
    }
    expect(isExtended).toBe(false)
    over.resolve()
    await reading
    await other.close()
    await extending
    const { schema } = await client.datasetGet({ datasetId })
    expect(schema).toEqual([title, stars])
  })
})
