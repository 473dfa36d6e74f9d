import { hash } from 'node:crypto'
import { checkRepoDescription, type RepoDescription } from '@vitrine/contract'
import { sql } from 'kysely'
import { findDatasetById, insertDataset } from '../packages/server/src/store/datasets.ts'
import {
  createItemTable,
  insertItem,
  type StoredValue,
} from '../packages/server/src/store/items.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { recordPerson } from '../packages/server/src/store/people.ts'
import { openStore } from '../packages/server/src/store/store.ts'

/** Items written through the store's own function; more are copies of these. */
const written = 1000
const author = 'https://issuer.example somebody'
/** Rows that one statement copies at most: the server ends those that take long. */
const copiesMax = 250_000

/** Fills a new database with one repository of so many items for every number given. */
const [url, ...sizes] = process.argv.slice(2)
const store = await openStore(readConfig({ VITRINE_DATABASE_URL: url }))
for (const size of sizes.map(Number)) {
  const repo = await createRepo(describe(size))
  const { id } = repo
  await store.write(async (transaction) => {
    await recordPerson(transaction, { key: author, name: undefined })
    for (let index = 0; index < Math.min(size, written); index += 1) {
      const item = { id: index + 1, values: valuesOf(index), author }
      await insertItem(transaction, repo, item)
    }
  })
  for (let count = written; count < size; count *= 2) {
    const copies = Math.min(count, size - count)
    for (let from = 0; from < copies; from += copiesMax) {
      await copyItems(id, { from, to: Math.min(from + copiesMax, copies), count })
    }
  }
}
await store.close()

function describe(size: number): RepoDescription {
  const checked = checkRepoDescription({
    name: `items-${size}`,
    schema: [
      { name: 'title', type: 'string', length: 120 },
      { name: 'related', type: 'reference', target: `items-${size}` },
      { name: 'picture', type: 'binary', mime: 'image/png' },
    ],
  })
  if (!checked.ok) throw new Error(checked.problems[0]?.reason)
  return checked.value
}

function createRepo(definition: RepoDescription) {
  const { schema } = definition
  return store.write(async (transaction) => {
    const createdBy = 'https://issuer.example bench'
    const dataset = { kind: 'repo' as const, definition, schema, baseId: null, createdBy }
    const id = await insertDataset(transaction, dataset, (self) => [self])
    await createItemTable(transaction, { id, schema })
    return (await findDatasetById(transaction, id))!
  })
}

function valuesOf(index: number): Map<string, StoredValue> {
  const title = `A picture of something, number ${index}`
  const related = index + 1
  const picture = hash('sha256', `picture ${index}`)
  const value = (type: 'string' | 'reference', cell: string | number): StoredValue => {
    const text = String(cell)
    return { type, cell, size: text.length, sha256: hash('sha256', text) }
  }
  return new Map<string, StoredValue>([
    ['title', value('string', title)],
    ['related', value('reference', related)],
    ['picture', { type: 'binary', cell: picture, sha256: picture, size: 1234, mime: 'image/png' }],
  ])
}

/**
 * Adds copies of a range of items, each `count` further on, in the database itself, as millions take a
 * while.
 */
async function copyItems(
  repoId: number,
  { from, to, count }: { from: number; to: number; count: number },
): Promise<void> {
  const name = `items_${repoId}`
  const table = sql.table(name)
  const tables = await store.reads.introspection.getTables()
  const columns = tables.find((each) => each.name === name)!.columns.map((column) => column.name)
  const values = columns.map((column) =>
    ['position', 'id'].includes(column)
      ? sql`${sql.ref(column)} + ${sql.lit(count)}`
      : sql.ref(column),
  )
  await store.write(async (transaction) => {
    await sql`
      insert into ${table} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(values)} from ${table} where position >= ${from} and position < ${to}
    `.execute(transaction)
    await transaction
      .updateTable('datasets')
      .set({ next_position: count + to, next_item_id: count + to + 1 })
      .where('id', '=', repoId)
      .execute()
  })
}
