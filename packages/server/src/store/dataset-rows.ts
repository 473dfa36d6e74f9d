import type { RepoDescription, SchemaField, ViewDescription } from '@vitrine/contract'
import { numbers } from './expressions.ts'
import { sql } from 'kysely'
import type { Db } from './store.ts'

/** A dataset as lists sort and count it. */
export type DatasetRow = {
  id: number
  name: string
  kind: 'repo' | 'view'
  createdAt: number
  revision: number
  /** Items of a repository; 0 of a view, whose items are not counted here. */
  items: number
  /** Base dataset of a view. */
  base: string | undefined
}

/** Texts of a dataset that are searched. */
export type DatasetText = { description: string | undefined; fields: readonly string[] }

/** All datasets, or those of a kind, the newest first. */
export async function listDatasetRows(db: Db, kind?: 'repo' | 'view'): Promise<DatasetRow[]> {
  const rows = await db
    .selectFrom('datasets')
    .leftJoin('datasets as base', 'base.id', 'datasets.base_id')
    .select([
      'datasets.id',
      'datasets.name',
      'datasets.kind',
      'datasets.created_at',
      'datasets.revision',
      'datasets.next_position',
      'base.name as base',
    ])
    .$if(kind !== undefined, (query) => query.where('datasets.kind', '=', kind!))
    .orderBy('datasets.created_at', 'desc')
    .orderBy('datasets.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    createdAt: row.created_at,
    revision: row.revision,
    items: row.next_position,
    base: row.base ?? undefined,
  }))
}

/** Reads the texts of datasets, by id. */
export async function readDatasetTexts(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, DatasetText>> {
  const { rows } = await sql<{ id: number; definition: string; schema: string }>`
    select id, definition, schema from datasets
    where id in (select value from ${numbers(ids)})`.execute(db)
  return new Map(
    rows.map(({ id, definition, schema }) => {
      const { description } = JSON.parse(definition) as RepoDescription | ViewDescription
      const fields = (JSON.parse(schema) as SchemaField[]).map(({ name }) => name)
      return [id, { description, fields }]
    }),
  )
}
