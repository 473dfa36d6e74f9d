import { randomBytes } from 'node:crypto'
import type { Dataset } from './datasets.ts'
import type { Db, Transaction } from './store.ts'

/** Returns a generation that no other repository has. */
export function newGeneration(): string {
  return randomBytes(5).toString('hex')
}

/** Lists the generations of all logs: of repositories, deleted ones as well, and of the audit log. */
export async function listGenerations(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('datasets')
    .select('generation')
    .where('kind', '=', 'repo')
    .unionAll(db.selectFrom('deleted_datasets').select('generation').where('kind', '=', 'repo'))
    .unionAll(db.selectFrom('audit_head').select('generation'))
    .execute()
  return rows.map(({ generation }) => generation)
}

/** Gives the log of a repository another origin. Does nothing where it has another one since it was read. */
export async function renewGeneration(
  transaction: Transaction,
  { id, generation }: Pick<Dataset, 'id' | 'generation'>,
): Promise<boolean> {
  const renewed = await transaction
    .updateTable('datasets')
    .set({ generation: newGeneration(), recorded_size: 0 })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .returning('id')
    .execute()
  return renewed.length > 0
}

/** Gives the audit log another origin. Does nothing where it has another one since it was read. */
export async function renewAudit(transaction: Transaction, generation: string): Promise<boolean> {
  const renewed = await transaction
    .updateTable('audit_head')
    .set({ generation: newGeneration() })
    .where('generation', '=', generation)
    .returning('number')
    .execute()
  return renewed.length > 0
}

/** Gives the logs of all deleted repositories other origins: they may be taken back. */
export async function renewDeleted(transaction: Transaction): Promise<void> {
  const repos = await transaction
    .selectFrom('deleted_datasets')
    .select('id')
    .where('kind', '=', 'repo')
    .execute()
  for (const { id } of repos) {
    await transaction
      .updateTable('deleted_datasets')
      .set({ generation: newGeneration(), recorded_size: 0 })
      .where('id', '=', id)
      .execute()
  }
}
