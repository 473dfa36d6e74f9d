import { addItem, createClient, deleteDataset, type Client } from '@vitrine/client'
import { sql } from 'kysely'
import { findings } from './findings.ts'
import { image, title } from './people-server.ts'
import { png } from './png.ts'
import { startTestServer } from './server.ts'
import { tableNames } from './test-database.ts'

export type DeletedServer = Awaited<ReturnType<typeof startDeletedServer>>

/** A server with an administrator and another person, and short ways to delete datasets and take them back. */
export async function startDeletedServer() {
  const server = await startTestServer({ VITRINE_ADMINS: 'alice' }, { dropGraceMs: 0 })
  const { client, database } = server
  const clientOf = async (sub: string): Promise<Client> => {
    const token = await server.issuer.token({ sub })
    return createClient({ baseUrl: server.url, token: () => token })
  }
  const create = (name: string, schema: object[], by = client) =>
    by.repoCreate({ body: { name, schema } })
  const find = async (name: string, by = client) => (await by.deletedList({ name }))[0]!
  return {
    server,
    /** Alice, who is an administrator. */
    client,
    grace: await clientOf('grace'),
    clientOf,
    create,
    view: (name: string, base: string, clauses: object = {}) =>
      client.viewCreate({ body: { name, base, ...clauses } }),
    remove: async (name: string, by = client) =>
      deleteDataset(by, await by.datasetGet({ datasetId: name })),
    /** The last one that was deleted under a name. */
    find,
    restore: async (name: string, body: { name?: string } = {}, by = client) =>
      by.deletedRestore({ deletedId: (await find(name, by)).id, body }),
    items: (datasetId: string) => client.datasetItemList({ datasetId, pageSize: 1000 }),
    /** Lets the clock of the database go on, as seen by what was deleted. */
    pass: (ms: number) =>
      database.use(({ write }) =>
        write((transaction) =>
          transaction
            .updateTable('deleted_datasets')
            .set((row) => ({ deleted_at: row('deleted_at', '-', ms) }))
            .execute(),
        ),
      ),
    count: (table: string) =>
      database.use(async ({ reads }) => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from ${sql.table(table)}`.execute(reads)
        return rows[0]!.n
      }),
    itemTables: () =>
      database.use(async ({ reads }) =>
        (await tableNames(reads)).filter((name) => name.startsWith('items_')),
      ),
    /** Returns the findings of `vitrine verify --data`. */
    check: async () => findings({ database, blobs: await server.blobs.open() }),
    /** The audit log, newest first. */
    acts: async () =>
      (await client.auditList({})).map(({ what, by, dataset, details }) => [
        what,
        by?.subject,
        dataset?.name,
        ...(details === undefined ? [] : [details]),
      ]),
    /** Creates a repository with two items, one of which has a file. */
    fill: async (name = 'photos', by = client) => {
      await create(name, [title, { ...image, optional: true }], by)
      const file = new Blob([png], { type: 'image/png' })
      await addItem(by, name, { title: 'first', image: file })
      await addItem(by, name, { title: 'second' })
    },
  }
}
