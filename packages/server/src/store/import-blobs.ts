import { sql, type Selectable } from 'kysely'
import type { Db, Transaction } from './store.ts'
import type { ImportBlobsTable } from './import-tables.ts'

/** A blob that an import holds. */
export type ImportBlob = Omit<Selectable<ImportBlobsTable>, 'import_id'>
export type ImportBlobKind = ImportBlob['kind']

const columns = ['kind', 'start', 'name', 'sha256', 'size'] as const

/** Takes the leases of blobs for an import. */
export async function insertImportBlobs(
  transaction: Transaction,
  importId: number,
  blobs: readonly ImportBlob[],
): Promise<void> {
  if (blobs.length === 0) return
  const rows = blobs.map((blob) => ({ import_id: importId, ...blob }))
  await transaction.insertInto('import_blobs').values(rows).execute()
}

/** The parts of a kind in their order. */
export function listImportBlobs(
  db: Db,
  importId: number,
  kind: ImportBlobKind,
): Promise<ImportBlob[]> {
  return db
    .selectFrom('import_blobs')
    .select(columns)
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .orderBy('start')
    .execute()
}

/** Finds the files of an import's archive by their names. */
export function findImportFiles(db: Db, importId: number, names: string[]): Promise<ImportBlob[]> {
  return db
    .selectFrom('import_blobs')
    .select(columns)
    .where('import_id', '=', importId)
    .where('name', 'in', names)
    .execute()
}

/** The file as it was sent, and what was made of it: bytes that no item is made of. */
const transientKinds: readonly ImportBlobKind[] = ['sent', 'tar', 'workbook', 'rows', 'checked']

/**
 * Ends leases of an import: those of some kinds, or all. What the import alone used goes with the next
 * collection, without the trash.
 */
export async function dropImportBlobs(
  transaction: Transaction,
  importId: number,
  kinds: readonly ImportBlobKind[] = ['sent', 'tar', 'workbook', 'rows', 'file', 'held', 'checked'],
): Promise<void> {
  await transaction
    .updateTable('blobs')
    .set({ is_transient: 1 })
    .where('sha256', 'in', (select) =>
      select
        .selectFrom('import_blobs')
        .select('sha256')
        .where('import_id', '=', importId)
        .where('kind', 'in', kinds)
        .where('kind', 'in', transientKinds),
    )
    .where('state', '=', 'live')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('blob_references')
            .select(sql.lit(1).as('one'))
            .whereRef('blob_references.sha256', '=', 'blobs.sha256'),
        ),
      ),
    )
    .execute()
  await transaction
    .deleteFrom('import_blobs')
    .where('import_id', '=', importId)
    .where('kind', 'in', kinds)
    .execute()
}

export async function countImportBlobs(
  db: Db,
  importId: number,
  kind: ImportBlobKind,
): Promise<number> {
  const { count } = await db
    .selectFrom('import_blobs')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return count
}
