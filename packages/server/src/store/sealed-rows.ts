import { type SchemaField, canonicalText, textOf, valueOf } from '@vitrine/contract'
import { sql } from 'kysely'
import { noDigest } from './digest-bytes.ts'
import { type Expression, digitsOf, numbers } from './expressions.ts'
import { type Cell, type ShownField, itemRow } from './item-rows.ts'
import { type StoredField, headOf, isBelow, itemTable, layOutFields } from './items.ts'
import type { Prepare } from './prepare.ts'
import { brokenDigest } from './row-digests.ts'

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

/** Returns the fields of a row whose texts are not what was sealed, each with what is known of the digest that was. */
export function brokenSeals(
  fields: readonly StoredField[],
  { digests, cells }: Pick<SealedRow, 'digests' | 'cells'>,
): { field: string; sha256: string }[] {
  return fields.flatMap(({ name: field, type, digestAt }, at) => {
    if (textOf({ type }) === undefined) return []
    const cell = cells[at]!
    const sha256 = brokenDigest(digests, digestAt, cell === null ? null : textIn(type, cell))
    return sha256 === undefined ? [] : [{ field, sha256 }]
  })
}

/** Returns the canonical text of a cell, which may have been altered to what is none of its type. */
function textIn(type: StoredField['type'], cell: string | number): string {
  try {
    const value = valueOf({ type }, cell)
    if (textOf({ type })!.toCell(value) === cell) return canonicalText({ type }, value)
  } catch {
    // Not even a value of another spelling.
  }
  return String(cell)
}

/**
 * Parts of an item's seal, by the names of the fields that have a value: the digest, of a binary with its media type,
 * or the id that a reference leads to.
 */
export type SealCells = Map<
  string,
  { sha256?: string | undefined; mime?: string | undefined; id?: number | undefined }
>

/** Reads that of the committed items of a repository that have one of these ids, whose texts may be long. */
export async function readSealCells(
  prepareInWorker: Prepare,
  { repoId, fields, joins }: { repoId: number; fields: readonly ShownField[]; joins: Expression },
  ids: readonly number[],
): Promise<{ id: number; cells: SealCells }[]> {
  const columns = fields.flatMap(({ type, cell, seal }) => {
    const [first] = seal as [Expression]
    if (type === 'reference') return [cell, sql`null`]
    return textOf({ type }) === undefined ? [cell, first] : [first, sql`null`]
  })
  const select = prepareInWorker<object, Cell[]>(
    () => sql`
      select ${sql.join([itemRow('id'), ...columns])}
      from ${itemTable(repoId)} as r ${joins}
      where ${itemRow('id')} in (select value from ${numbers(ids)})
        and ${isBelow(itemRow('position'), headOf(repoId))}`,
  )
  return (await select({})).map(([id, ...read]) => {
    const cells: SealCells = new Map()
    for (const [index, { name, type }] of fields.entries()) {
      const [value, mime] = read.slice(2 * index)
      // Of a field that came later than the item there is not even an empty digest.
      if (value === null || value === '' || value === noDigest) continue
      if (type === 'reference') cells.set(name, { id: Number(value) })
      else
        cells.set(name, { sha256: String(value), mime: mime === null ? undefined : String(mime) })
    }
    return { id: Number(id), cells }
  })
}
