import { textOf, type SchemaField } from '@vitrine/contract'
import { sql, type Selectable } from 'kysely'
import { readAuditHead } from './audit-log.ts'
import { referenceBlobs, claimBlob } from './blobs.ts'
import { skipNumbers } from './expressions.ts'
import type { Cell } from './item-rows.ts'
import { createItemTable, itemTable, layOutFields } from './items.ts'
import { copyRepoRows } from './repo-rows.ts'
import { toChecks } from './row-digests.ts'
import { brokenSeals } from './sealed-rows.ts'
import type { Db, Store, Transaction } from './store.ts'
import type { DatasetsTable, DeletedDatasetsTable } from './tables.ts'

/** Why an installation cannot be copied, as a sentence. */
export class CopyError extends Error {
  override name = 'CopyError'
}

/** A repository of both databases, which may be a deleted one. */
export type CopiedRepo = {
  id: number
  name: string
  schema: SchemaField[]
  count: number
  table: 'datasets' | 'deleted_datasets'
}

/** The bytes that an item holds. */
export type CopiedBlob = { sha256: string; size: number }

/** The row of an item, by its columns. */
export type CopiedRow = Record<string, string | number | Uint8Array | null> & {
  position: number
  id: number
  digests: Uint8Array
}

/** The most parameters of a statement on both engines. */
const parametersMax = 30_000

/**
 * Copies everything but the items: accounts, the built-in provider's keys and sessions, the key of the logs,
 * people, personal access tokens, the audit log, datasets with their tables and
 * where their items come from, also deleted ones that rest. Datasets that are there already are left as they are.
 * @returns the repositories, with how many items each has at the source
 * @throws CopyError when there is something that is not of the source
 */
export async function copyDatasets(from: Db, to: Store): Promise<CopiedRepo[]> {
  const datasets = await from.selectFrom('datasets').selectAll().orderBy('id').execute()
  const there = new Map(
    (await to.reads.selectFrom('datasets').selectAll().execute()).map((row) => [row.id, row]),
  )
  for (const row of there.values()) {
    const source = datasets.find(({ id }) => id === row.id)
    const isSame =
      source !== undefined &&
      (['name', 'definition', 'created_at', 'created_by'] as const).every(
        (column) => source[column] === row[column],
      ) &&
      row.next_position <= source.next_position
    if (!isSame) throw another()
  }
  await copyAccounts(from, to)
  for (const dataset of datasets) {
    if (there.has(dataset.id)) continue
    const { id, kind } = dataset
    const schema = JSON.parse(dataset.schema) as SchemaField[]
    await to.write(async (transaction) => {
      await transaction
        .insertInto('datasets')
        .values({ ...dataset, next_position: 0 })
        .execute()
      if (kind === 'repo') await createItemTable(transaction, { id, schema })
    })
  }
  const resting = await copyDeleted(from, to)
  for (const { id } of [...datasets, ...resting]) await copyRepoRows(from, to, id)
  const references = await from.selectFrom('dataset_references').selectAll().execute()
  await copyGrants(from, to)
  await to.write(async (transaction) => {
    for (const reference of references) {
      await transaction
        .insertInto('dataset_references')
        .values(reference)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    // Ids of items that were given since an earlier attempt must not be given again; roles may be others since then,
    // and what the logs go by where that was before an upgrade.
    for (const { id, next_item_id, access_revision, ...row } of datasets) {
      await transaction
        .updateTable('datasets')
        .set({ next_item_id, access_revision, ...logColumns(row) })
        .where('id', '=', id)
        .execute()
    }
    for (const { id, ...row } of resting) {
      await transaction
        .updateTable('deleted_datasets')
        .set(logColumns(row))
        .where('id', '=', id)
        .execute()
    }
    const last = Math.max(0, ...[...datasets, ...resting].map(({ id }) => id))
    if (last > 0) await sql`${skipNumbers('datasets', last)}`.execute(transaction)
  })
  return [...toCopied(datasets, 'datasets'), ...toCopied(resting, 'deleted_datasets')]
}

type LogColumns = Pick<
  Selectable<DeletedDatasetsTable>,
  'generation' | 'nonce_key' | 'nonces_from' | 'recorded_size'
>

const logColumns = ({
  generation,
  nonce_key,
  nonces_from,
  recorded_size,
}: LogColumns): LogColumns => ({
  generation,
  nonce_key,
  nonces_from,
  recorded_size,
})

/** Copies the rows of deleted datasets that can be taken back, with tables for their items. */
async function copyDeleted(from: Db, to: Store): Promise<Selectable<DeletedDatasetsTable>[]> {
  const deleted = await from.selectFrom('deleted_datasets').selectAll().orderBy('id').execute()
  const there = await to.reads.selectFrom('deleted_datasets').select('id').execute()
  const copied = new Set(there.map(({ id }) => id))
  if (!copied.isSubsetOf(new Set(deleted.map(({ id }) => id)))) throw another()
  for (const row of deleted) {
    const { id, kind } = row
    if (copied.has(id)) continue
    const schema = JSON.parse(row.schema) as SchemaField[]
    await to.write(async (transaction) => {
      await transaction
        .insertInto('deleted_datasets')
        .values({ ...row, next_position: 0 })
        .execute()
      await takeId(transaction, row)
      if (kind === 'repo') await createItemTable(transaction, { id, schema })
    })
  }
  return deleted
}

/** Has SQLite never give an id to a dataset that a deleted one has: it counts on from the last that was there. */
async function takeId(
  transaction: Transaction,
  deleted: Selectable<DeletedDatasetsTable>,
): Promise<void> {
  const { targets: _, deleted_at: __, deleted_by: ___, ...row } = deleted
  // No dataset can have such a name.
  const placeholder = { ...row, name: `deleted ${row.id}`, base_id: null }
  await transaction.insertInto('datasets').values(placeholder).execute()
  await transaction.deleteFrom('datasets').where('id', '=', row.id).execute()
}

function toCopied(
  rows: readonly Pick<
    Selectable<DatasetsTable>,
    'id' | 'kind' | 'name' | 'schema' | 'next_position'
  >[],
  table: CopiedRepo['table'],
): CopiedRepo[] {
  return rows
    .filter(({ kind }) => kind === 'repo')
    .map(({ id, name, schema, next_position: count }) => ({
      id,
      name,
      schema: JSON.parse(schema) as SchemaField[],
      count,
      table,
    }))
}

const another = () =>
  new CopyError('There is another installation in that database: name an empty one.')

/**
 * Copies people and what is known of them, in place of what an earlier attempt has copied: since then a token may have been
 * revoked, a password changed, or a name erased.
 */
async function copyAccounts(from: Db, to: Store): Promise<void> {
  const accounts = await from.selectFrom('accounts').selectAll().execute()
  const ids = new Set(accounts.map(({ id }) => id))
  const there = await to.reads.selectFrom('accounts').select('id').execute()
  if (there.some(({ id }) => !ids.has(id))) throw another()
  await requireSameAudit(from, to)
  const tables = [
    'accounts',
    'provider_keys',
    'provider_state',
    'people',
    'tokens',
    'audit_log',
  ] as const
  for (const table of tables) {
    const rows = await from.selectFrom(table).selectAll().execute()
    await to.write(async (transaction) => {
      await transaction.deleteFrom(table).execute()
      for (const row of rows) await transaction.insertInto(table).values(row).execute()
    })
  }
  const head = await from.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
  await to.write((transaction) => transaction.updateTable('audit_head').set(head).execute())
  for (const table of ['people', 'tokens'] as const) {
    const { last } = await from
      .selectFrom(table)
      .select((row) => row.fn.max<number | null>('id').as('last'))
      .executeTakeFirstOrThrow()
    if (last === null) continue
    await to.write((transaction) => sql`${skipNumbers(table, last)}`.execute(transaction))
  }
}

/** @throws CopyError where the audit log of the target does not lead to that of the source */
async function requireSameAudit(from: Db, to: Store): Promise<void> {
  const { number, hash } = await readAuditHead(to.reads)
  if (number === 0) return
  const entry = await from
    .selectFrom('audit_log')
    .select('hash')
    .where('number', '=', number)
    .executeTakeFirst()
  if (entry?.hash !== hash) throw another()
}

/** Copies who may do what, in place of what an earlier attempt has copied: a role may have been taken back since. */
async function copyGrants(from: Db, to: Store): Promise<void> {
  const grants = await from.selectFrom('grants').selectAll().orderBy('id').execute()
  await to.write(async (transaction) => {
    await transaction.deleteFrom('grants').execute()
    for (const row of grants) await transaction.insertInto('grants').values(row).execute()
    const last = grants.at(-1)?.id
    if (last !== undefined) await sql`${skipNumbers('grants', last)}`.execute(transaction)
  })
}

/** How many items of a repository were copied. */
export async function countCopied(to: Db, { id, table }: CopiedRepo): Promise<number> {
  const row = await to
    .selectFrom(table)
    .select('next_position')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.next_position
}

/**
 * Reads the next items of a repository, and compares each text and reference with its check. Rows from before there were
 * checks get theirs.
 * @throws CopyError for one that is not what was sealed
 */
export async function readRows(
  from: Db,
  repo: CopiedRepo,
  { position, limit }: { position: number; limit: number },
): Promise<CopiedRow[]> {
  const end = Math.min(position + limit, repo.count)
  const { rows } = await sql<CopiedRow>`
    select * from ${itemTable(repo.id)}
    where position >= ${position} and position < ${end} order by position`.execute(from)
  if (rows.length !== end - position) {
    throw new CopyError(`Items of ${repo.name} are missing from position ${position} on.`)
  }
  const fields = layOutFields(repo.schema)
  for (const row of rows) {
    const cells = fields.map(({ column }) => (row[column] ?? null) as Cell)
    const [broken] = brokenSeals(fields, { digests: row.digests, cells })
    if (broken !== undefined) {
      throw new CopyError(`${broken.field} of ${repo.name}/${row.id} is not what was sealed.`)
    }
    row.digests = toChecks(row.digests)
  }
  return rows
}

/** The blobs that an item's row holds. */
export function blobsOf(repo: CopiedRepo, row: CopiedRow): CopiedBlob[] {
  return layOutFields(repo.schema)
    .filter(({ type, column }) => textOf({ type }) === undefined && (row[column] ?? null) !== null)
    .map(({ column }) => ({ sha256: String(row[column]), size: Number(row[`${column}_size`]) }))
}

/** Commits items, as they were, after those that were copied before; their bytes are there. */
export async function appendRows(to: Store, repo: CopiedRepo, rows: CopiedRow[]): Promise<void> {
  const columns = Object.keys(rows[0]!)
  const rowsAtOnce = Math.floor(parametersMax / columns.length)
  await to.write(async (transaction) => {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const values = rows
        .slice(at, at + rowsAtOnce)
        .map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
      await sql`
        insert into ${itemTable(repo.id)} (${sql.join(columns.map((column) => sql.ref(column)))})
        values ${sql.join(values)}`.execute(transaction)
    }
    for (const row of rows) {
      const blobs = blobsOf(repo, row)
      for (const blob of blobs) {
        if ((await claimBlob(transaction, blob)) === 'deleting') {
          throw new CopyError('A server works on the target: stop it.')
        }
      }
      await referenceBlobs(
        transaction,
        { datasetId: repo.id, itemId: row.id },
        blobs.map(({ sha256 }) => sha256),
      )
    }
    await transaction
      .updateTable(repo.table)
      .set({ next_position: rows.at(-1)!.position + 1 })
      .where('id', '=', repo.id)
      .execute()
  })
}
