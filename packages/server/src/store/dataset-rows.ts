import type {
  DatasetEntry,
  RepoDescription,
  SchemaField,
  ViewDescription,
  ViewEntry,
} from '@vitrine/contract'
import { numbers } from './expressions.ts'
import { sql } from 'kysely'
import type { Db } from './store.ts'
import { isVisible, type Visibility } from './visibility.ts'

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

/** Lists the datasets that somebody may read, or those of a kind, the newest first. */
export async function listDatasetRows(
  db: Db,
  visibility: Visibility,
  kind?: 'repo' | 'view',
): Promise<DatasetRow[]> {
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
    .where(isVisible(visibility))
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

type Page = { page: number; pageSize: number }

/** Lists the names of datasets that somebody may read, to suggest the nearest one. */
export async function listDatasetNames(db: Db, visibility: Visibility): Promise<string[]> {
  const rows = await db
    .selectFrom('datasets')
    .select('name')
    .where(isVisible(visibility))
    .limit(10_000)
    .execute()
  return rows.map(({ name }) => name)
}

/** Lists the datasets that somebody may read, or those of a kind, the newest first. */
export async function listDatasets(
  db: Db,
  { page, pageSize, kind }: Page & { kind?: 'repo' | 'view' },
  visibility: Visibility,
): Promise<DatasetEntry[]> {
  const rows = await db
    .selectFrom('datasets')
    .select(['name', 'created_at'])
    .where(isVisible(visibility))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map(toEntry)
}

/** Lists the views that somebody may read with their bases, the newest first. */
export async function listViews(
  db: Db,
  { page, pageSize }: Page,
  visibility: Visibility,
): Promise<ViewEntry[]> {
  const rows = await db
    .selectFrom('datasets')
    .innerJoin('datasets as base', 'base.id', 'datasets.base_id')
    .select(['datasets.name', 'datasets.created_at', 'base.name as base'])
    .where('datasets.kind', '=', 'view')
    .where(isVisible(visibility))
    .orderBy('datasets.created_at', 'desc')
    .orderBy('datasets.id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map((row) => ({ ...toEntry(row), base: row.base }))
}

function toEntry({ name, created_at }: { name: string; created_at: number }): DatasetEntry {
  return { name, createdAt: new Date(created_at).toISOString() }
}
