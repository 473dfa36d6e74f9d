import { sql } from 'kysely'
import type { Db, Transaction } from './store.ts'

/** Hashes of a level, from one number to another, the last left out. */
type Nodes = { repoId: number; level: number; from: number; to: number }

/** The number under which the hashes of the audit log are stored, which no dataset has. */
export const auditNodesId = 0

export type LogNode = { level: number; number: number; hash: Uint8Array }

export async function listLogNodes(
  db: Db,
  { repoId, level, from, to }: Nodes,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('log_nodes')
    .select('hash')
    .where('dataset_id', '=', repoId)
    .where('level', '=', level)
    .where('number', '>=', from)
    .where('number', '<', to)
    .orderBy('number')
    .execute()
  return rows.map(({ hash }) => hash)
}

/** How many hashes there are of a level. */
export async function countLogNodes(
  db: Db,
  { repoId, level }: Pick<Nodes, 'repoId' | 'level'>,
): Promise<number> {
  const { last } = await db
    .selectFrom('log_nodes')
    .select((row) => row.fn.max<number | null>('number').as('last'))
    .where('dataset_id', '=', repoId)
    .where('level', '=', level)
    .executeTakeFirstOrThrow()
  return last === null ? 0 : last + 1
}

/** Adds hashes; another process may have added the same. */
export async function addLogNodes(
  transaction: Transaction,
  repoId: number,
  nodes: readonly LogNode[],
): Promise<void> {
  await transaction
    .insertInto('log_nodes')
    .values(nodes.map((node) => ({ dataset_id: repoId, ...node })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes so many hashes of a dropped repository; returns whether there were any. */
export async function dropLogNodes(
  transaction: Transaction,
  repoId: number,
  count: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from log_nodes
    where dataset_id = ${repoId} and level = (
      select max(level) from log_nodes where dataset_id = ${repoId}
    ) and number >= (
      select max(number) + 1 - ${count} from log_nodes where dataset_id = ${repoId} and level = (
        select max(level) from log_nodes where dataset_id = ${repoId}
      )
    )`.execute(transaction)
  return numAffectedRows > 0n
}
