import type { StateInfo } from '@vitrine/contract'
import { sql } from 'kysely'
import { findRepoId } from './datasets.ts'
import { itemTable } from './items.ts'
import type { Db } from './store.ts'

/**
 * Reads how many items the repository of a dataset has, and when it had `at`, or those that it has now; undefined
 * where there is no such dataset.
 */
export async function readDatasetState(
  db: Db,
  name: string,
  at?: number,
): Promise<StateInfo | undefined> {
  const repoId = await findRepoId(db, name)
  const repo =
    repoId &&
    (await db
      .selectFrom('datasets')
      .select(['name', 'next_position as size'])
      .where('id', '=', repoId)
      .executeTakeFirst())
  if (!repo) return undefined
  const count = at ?? repo.size
  const state = { at: count, repo: repo.name, size: repo.size }
  if (count === 0 || count > repo.size) return state
  const { rows } = await sql<{ created_at: number }>`
    select created_at from ${itemTable(repoId)} where position = ${count - 1}`.execute(db)
  const [last] = rows
  return { ...state, ...(last && { createdAt: new Date(last.created_at).toISOString() }) }
}
