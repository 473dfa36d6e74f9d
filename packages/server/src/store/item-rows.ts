import { canonicalText, plainText, textOf, valueOf } from '@vitrine/contract'
import type { FieldType, Item, Seal, SealedItem } from '@vitrine/contract'
import { sql, type RawBuilder } from 'kysely'
import { cellText } from './cell-text.ts'
import { numberCell, type Expression } from './expressions.ts'
import type { StoredField } from './items.ts'
import { digestIn } from './row-digests.ts'

/** One row of a table in a query, by its columns. */
export type RowPlace = (column: string) => Expression

/** A field to read. */
export type ShownField = {
  name: string
  type: FieldType
  cell: Expression
  /** The digest of what is written as text; of a binary its media type and its size. */
  seal: readonly Expression[]
  /** Bytes of the longest text; 0 of a binary. */
  bytesMax: number
  /** Code points of a text of which the cell is the beginning; NULL of a whole one. */
  length?: Expression
}

/** A field as it is kept in a row. */
export function storedField(
  { name, type, column, digestAt, bytesMax }: StoredField,
  row: RowPlace,
): ShownField {
  const seal =
    textOf({ type }) === undefined
      ? [row(`${column}_mime`), row(`${column}_size`)]
      : [digestIn(row('digests'), digestAt, cellText(type, row(column)))]
  return { name, type, cell: row(column), seal, bytesMax }
}

/** The row of an item itself, in the table that queries call `r`. */
export const itemRow: RowPlace = (column) => sql.ref(`r.${column}`)

export type Cell = string | number | null

/** An item as read by `itemColumns`: the values are followed by the lengths of those that may be cut. */
export type ItemRow = [id: number, ...values: Cell[]]

/** An item as read by `sealedItemColumns`: the values are followed by its moment and their seals. */
export type SealedItemRow = [id: number, ...valuesMomentAndSeals: Cell[]]

/** The columns of a query for items; more may follow. */
export function itemColumns(fields: readonly ShownField[]): RawBuilder<unknown> {
  const values = fields.map(({ cell }, index) => as(cell, `v${index}`))
  const lengths = fields.flatMap(({ length }, index) =>
    length === undefined ? [] : [as(length, `l${index}`)],
  )
  return sql.join([sql`${itemRow('id')} as id`, ...values, ...lengths])
}

/** Columns of an item with the seal of each value: digest and, of a binary, media type and size. */
export function sealedItemColumns(fields: readonly ShownField[]): RawBuilder<unknown> {
  const seals = fields.flatMap(({ seal }) => seal).map((cell, index) => as(cell, `s${index}`))
  return sql.join([itemColumns(fields), as(itemRow('created_at'), 'created_at'), ...seals])
}

/** The cells that an export chooses from: those of `sealedItemColumns`. */
export function snapshotCells(fields: readonly ShownField[]): Expression[] {
  const values = fields.map(({ type, cell }) =>
    // The engines write the JSON of fractions each in its own way.
    textOf({ type })?.cell === 'number' ? numberCell(cell) : cell,
  )
  const seals = fields.flatMap(({ seal }) => seal)
  return [itemRow('id'), ...values, itemRow('created_at'), ...seals]
}

/** Longest text, in bytes, of fields that are not measured: the rest of a row is about as long. */
const shortBytes = 100

/** Bytes of the texts of an item, but for short ones. */
export function textBytes(fields: readonly ShownField[]): Expression {
  const lengths = fields
    .filter(({ bytesMax }) => bytesMax > shortBytes)
    .map(({ cell }) => sql`coalesce(octet_length(${cell}), 0)`)
  return lengths.length === 0 ? sql.lit(0) : sql.join(lengths, sql` + `)
}

function as(value: Expression, name: string): Expression {
  return sql`${value} as ${sql.ref(name)}`
}

export function toItem(row: readonly Cell[], fields: readonly ShownField[]): Item {
  const data: Item['data'] = {}
  let cut: Item['cut']
  let index = 1
  let lengthAt = 1 + fields.length
  for (const { name, type, length } of fields) {
    const cell = row[index]!
    const whole = length === undefined ? null : row[lengthAt++]!
    if (whole !== null) (cut ??= {})[name] = Number(whole)
    if (cell !== null) data[name] = whole === null ? valueOf({ type }, cell) : cell
    index += 1
  }
  return { id: row[0] as number, data, ...(cut && { cut }) }
}

export function toSealedItem(row: readonly Cell[], fields: readonly ShownField[]): SealedItem {
  const item = toItem(row, fields)
  const integrity: Record<string, Seal> = {}
  const createdAtPlace =
    1 + fields.length + fields.filter(({ length }) => length !== undefined).length
  let seal = createdAtPlace + 1
  for (const { name, type } of fields) {
    const value = item.data[name]
    if (textOf({ type }) === undefined) {
      const [mime, size] = [row[seal] as string, row[seal + 1] as number]
      seal += 2
      if (value !== undefined) integrity[name] = { sha256: plainText(value), size, mime }
    } else {
      const sha256 = row[seal] as string
      seal += 1
      if (value === undefined) continue
      integrity[name] = { sha256, size: Buffer.byteLength(canonicalText({ type }, value)) }
    }
  }
  const createdAt = new Date(row[createdAtPlace] as number).toISOString()
  return { ...item, createdAt, integrity }
}
