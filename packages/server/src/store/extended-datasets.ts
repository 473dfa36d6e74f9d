import type { RepoDescription, SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import { findDatasetById, type Dataset } from './datasets.ts'
import type { Transaction } from './store.ts'

/**
 * Every dataset that refers to one, or to what refers to it, but not itself. Views come after all that
 * they are evaluated on.
 */
export async function listDependents(transaction: Transaction, id: number): Promise<Dataset[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive dependents (id) as (
      select dataset_id from dataset_references where target_id = ${id}
      union
      select dataset_references.dataset_id
      from dataset_references join dependents on dataset_references.target_id = dependents.id
    )
    select id from dependents where id <> ${id} order by id`.execute(transaction)
  const dependents: Dataset[] = []
  for (const row of rows) dependents.push((await findDatasetById(transaction, row.id))!)
  return dependents
}

/** Gives a dataset another schema, and a repository its description. */
export async function updateSchema(
  transaction: Transaction,
  id: number,
  { schema, definition }: { schema: readonly SchemaField[]; definition?: RepoDescription },
): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set({
      schema: JSON.stringify(schema),
      ...(definition !== undefined && { definition: JSON.stringify(definition) }),
    })
    .where('id', '=', id)
    .execute()
  await raiseRevision(transaction, id)
}

/** Lets everybody who knows a dataset read anew what it is. */
export async function raiseRevision(
  transaction: Transaction,
  id: number,
  column: 'revision' | 'order_revision' = 'revision',
): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set((row) => ({ [column]: row(column, '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Notes what a dataset refers to, beside what it refers to already. */
export async function addReferences(
  transaction: Transaction,
  id: number,
  targetIds: readonly number[],
): Promise<void> {
  const targets = [...new Set(targetIds)]
  if (targets.length === 0) return
  await transaction
    .insertInto('dataset_references')
    .values(targets.map((target_id) => ({ dataset_id: id, target_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
