import { type SchemaField, canonicalText, textOf, valueOf } from '@vitrine/contract'
import { sql } from 'kysely'
import { digestBytes, noDigest, sha256Bytes } from './digest-bytes.ts'
import { type Expression, digitsOf, numbers } from './expressions.ts'
import { type Cell, type ShownField, itemRow } from './item-rows.ts'
import { type StoredField, headOf, isBelow, itemTable, layOutFields } from './items.ts'
import type { Prepare } from './prepare.ts'
import type { Db } from './store.ts'

/** A committed item as it is kept, its fields in the order of the schema. */
export type SealedRow = {
  id: number
  digests: Uint8Array
  /** Cells; the sha256 of a binary. */
  cells: Cell[]
  /** Sizes of binaries in bytes. */
  sizes: (number | null)[]
}

/** Reads rows of a repository with the digests that were sealed. */
export type SealedRows = {
  fields: readonly StoredField[]
  /** Returns how many bytes of text some rows have. */
  bytes: (range: Range) => Promise<number>
  range: (range: Range) => Promise<SealedRow[]>
  get: (itemId: number) => Promise<SealedRow | undefined>
}

/** Positions; the last is left out. */
type Range = { from: number; to: number }

type Row = [id: number, digests: Uint8Array, ...cells: Cell[]]

export function prepareSealedRows(
  prepare: Prepare,
  { id: repoId, schema }: { id: number; schema: readonly SchemaField[] },
  head: Expression = headOf(repoId),
): SealedRows {
  const fields = layOutFields(schema)
  const kinds = fields.map(({ type }) => textOf({ type })?.cell)
  const cells = fields.map(({ column }, at) => {
    const cell = sql.ref(column)
    // Some altered numbers are more than JavaScript counts exactly.
    return kinds[at] === 'integer' ? digitsOf(cell) : cell
  })
  const sizes = fields.map(({ column }, at) =>
    kinds[at] === undefined ? sql.ref(`${column}_size`) : sql`null`,
  )
  const lengths = cells.map((cell) => sql`coalesce(octet_length(cast(${cell} as text)), 0)`)
  const committed = sql`from ${itemTable(repoId)} where ${isBelow(sql.ref('position'), head)}`
  const columns = sql.join([sql`id`, sql`digests`, ...cells, ...sizes])
  const selectBytes = prepare<Range, [number]>(
    (slot) => sql`
      select coalesce(sum(${sql.join(lengths, sql` + `)}), 0) ${committed}
      and position >= ${slot('from')} and position < ${slot('to')}`,
  )
  const selectRange = prepare<Range, Row>(
    (slot) => sql`
      select ${columns} ${committed}
      and position >= ${slot('from')} and position < ${slot('to')} order by position`,
  )
  const selectOne = prepare<{ itemId: number }, Row>(
    (slot) => sql`select ${columns} ${committed} and id = ${slot('itemId')}`,
  )
  const toRow = ([id, digests, ...read]: Row): SealedRow => ({
    id,
    digests,
    cells: kinds.map((kind, at) => {
      const cell = read[at]!
      return kind === 'integer' && cell !== null ? Number(cell) : cell
    }),
    sizes: read.slice(fields.length) as (number | null)[],
  })
  return {
    fields,
    bytes: async (range) => (await selectBytes(range))[0]![0],
    range: async (range) => (await selectRange(range)).map(toRow),
    get: async (itemId) => (await selectOne({ itemId })).map(toRow)[0],
  }
}

/** Returns the fields of a row whose texts are not what was sealed, each with the digest that was. */
export function brokenSeals(
  fields: readonly StoredField[],
  { digests, cells }: Pick<SealedRow, 'digests' | 'cells'>,
): { field: string; sha256: string }[] {
  return fields.flatMap(({ name: field, type, digestAt }, at) => {
    if (textOf({ type }) === undefined) return []
    const sealed = Buffer.from(digests.subarray(digestAt, digestAt + digestBytes))
    return isSealed(type, cells[at]!, sealed) ? [] : [{ field, sha256: sealed.toString('hex') }]
  })
}

function isSealed(type: StoredField['type'], cell: Cell, sealed: Buffer): boolean {
  if (cell === null) return sealed.every((byte) => byte === 0)
  return sha256Bytes(textIn(type, cell)).equals(sealed)
}

/** Returns the canonical text of a cell, which may have been altered to what is no value of its type. */
function textIn(type: StoredField['type'], cell: string | number): string {
  try {
    return canonicalText({ type }, valueOf({ type }, cell))
  } catch {
    return String(cell)
  }
}

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
      and ${isBelow(itemRow('position'), headOf(repoId))}`.execute(db)
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
