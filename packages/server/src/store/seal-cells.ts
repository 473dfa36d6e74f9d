import { textOf } from '@vitrine/contract'
import { sql } from 'kysely'
import { noDigest } from './digest-bytes.ts'
import { numbers, type Expression } from './expressions.ts'
import { itemRow, type Cell, type ShownField } from './item-rows.ts'
import { headOf, itemTable } from './items.ts'
import type { Db } from './store.ts'

/**
 * Parts of an item's seal, by the names of the fields that have a value: the digest, of a binary with its media type,
 * or the id that a reference leads to.
 */
export type SealCells = Map<
  string,
  { sha256?: string | undefined; mime?: string | undefined; id?: number | undefined }
>

/** Reads that of the committed items of a repository that have one of these ids. */
export async function readSealCells(
  db: Db,
  { repoId, fields, joins }: { repoId: number; fields: readonly ShownField[]; joins: Expression },
  ids: readonly number[],
): Promise<{ id: number; cells: SealCells }[]> {
  const columns = fields.flatMap(({ type, cell, seal }, index) => {
    const as = (what: Expression, name: string) => sql`${what} as ${sql.ref(`${name}${index}`)}`
    const [first] = seal as [Expression]
    if (type === 'reference') return [as(cell, 'v')]
    if (textOf({ type }) !== undefined) return [as(first, 'v')]
    return [as(cell, 'v'), as(first, 'm')]
  })
  const { rows } = await sql<Record<string, Cell>>`
    select ${sql.join([sql`${itemRow('id')} as id`, ...columns])}
    from ${itemTable(repoId)} as r ${joins}
    where ${itemRow('id')} in (select value from ${numbers(ids)})
      and ${itemRow('position')} < ${headOf(repoId)}`.execute(db)
  return rows.map((row) => {
    const cells: SealCells = new Map()
    for (const [index, { name, type }] of fields.entries()) {
      const value = row[`v${index}`]
      // Of a field that came later than the item there is not even an empty digest.
      if (value === null || value === undefined || value === '' || value === noDigest) continue
      if (type === 'reference') cells.set(name, { id: Number(value) })
      else cells.set(name, { sha256: String(value), mime: row[`m${index}`] as string | undefined })
    }
    return { id: Number(row['id']), cells }
  })
}
