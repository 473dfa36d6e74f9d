import type { EveryoneRole, SchemaField } from '@vitrine/contract'
import { type RawBuilder, sql } from 'kysely'
import { fitsName, numbers } from './expressions.ts'
import type { Db } from './store.ts'

/** Datasets that somebody may read: all, or those that they have a role on. */
export type VisibilityByRoles =
  | 'all'
  | {
      /** `issuer subject` of the person. */
      key: string
      groups: readonly string[]
      /** Role of everybody on a dataset that says nothing else. */
      everyone: EveryoneRole
      /** Names of datasets that the configuration gives their groups a role on, where `*` is any characters. */
      patterns: readonly string[]
    }

/** Datasets that somebody may read with what they came with: a token may be for some alone, by their ids. */
export type Visibility =
  VisibilityByRoles | { among: readonly number[]; visibility: VisibilityByRoles }

/**
 * Returns the condition that somebody may read a dataset (docs/roles.md). It looks at the few grants of each dataset that a
 * query goes through, so that a first page is found at once (docs/performance.md).
 */
export function isVisible(visibility: Visibility): RawBuilder<boolean> {
  if (visibility === 'all') return sql`1 = 1`
  if ('among' in visibility) {
    const { among, visibility: byRoles } = visibility
    return sql`(datasets.id in (${sql.join(among)}) and ${isVisible(byRoles)})`
  }
  const { key, groups, everyone, patterns } = visibility
  // With an offset PostgreSQL does not read all grants into a hash first, which takes ten times as long as a page.
  const hasGrant = (which: RawBuilder<unknown>) => sql`
    exists (select 1 from grants where dataset_id = datasets.id and (${which}) limit 1 offset 0)`
  const given = [
    sql`kind = 'person' and principal = ${key}`,
    ...(groups.length > 0 ? [sql`kind = 'group' and principal in (${sql.join(groups)})`] : []),
  ]
  const shown = sql`kind = 'everyone' and role <> 'none'`
  const hidden = sql`kind = 'everyone' and role = 'none'`
  const or = sql` or `
  const conditions = [
    sql`datasets.created_by = ${key}`,
    ...(everyone === 'none' ? [] : [sql`not ${hasGrant(hidden)}`]),
    hasGrant(sql.join(everyone === 'none' ? [shown, ...given] : given, or)),
    ...patterns.map((pattern) => fitsName(sql.ref('datasets.name'), pattern)),
  ]
  return sql`(${sql.join(conditions, or)})`
}

/** Lists the names, of those given, of datasets that somebody may not read, or that are not there. */
export async function listHidden(
  db: Db,
  names: Iterable<string>,
  visibility: Visibility,
): Promise<Set<string>> {
  const hidden = new Set(names)
  if (visibility === 'all' || hidden.size === 0) return new Set()
  const rows = await db
    .selectFrom('datasets')
    .select('name')
    .where('name', 'in', [...hidden])
    .where(isVisible(visibility))
    .execute()
  for (const { name } of rows) hidden.delete(name)
  return hidden
}

/** Finds, of datasets, those that are there and that somebody may read. */
export async function listVisibleIds(
  db: Db,
  ids: readonly number[],
  visibility: Visibility,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('datasets')
    .select('id')
    .where(sql<boolean>`id in (select value from ${numbers(ids)})`)
    .where(isVisible(visibility))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Lists the datasets that references of a schema lead to, and that somebody may not read. */
export function listHiddenTargets(
  db: Db,
  schema: readonly SchemaField[],
  visibility: Visibility,
): Promise<Set<string>> {
  const targets = schema.flatMap((field) => (field.type === 'reference' ? [field.target] : []))
  return listHidden(db, targets, visibility)
}
