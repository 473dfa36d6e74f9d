import { isRowField, type OrderKey } from '@vitrine/contract'
import { sql } from 'kysely'
import {
  beginning,
  inCodePoints,
  naturalKey,
  positionPart,
  sortKey,
  sortKeyEnd,
  sortKeyPart,
  type Expression,
  type SortKind,
} from '../store/expressions.ts'
import { storedTypes } from '../values/stored-types.ts'
import type { PathJoins } from './path-joins.ts'

/**
 * Bytes of a sort key: for what the order of a view itself says, and for the key of its base. PostgreSQL indexes no
 * more than a third of a page (https://www.postgresql.org/docs/current/btree.html).
 */
const bytesMax = { texts: 1500, base: 1000 }
/** Code points of a text that count, of each where an order has several. */
const charactersMax = 256

/** A part of a sort key; the value of a text is as much of it as counts. */
type Part = Pick<OrderKey, 'descending'> & { value: Expression; kind: SortKind; optional: boolean }

/**
 * The sort key of an item: bytes whose order is the order of a view. Ties stand as they do in the base,
 * so the key ends with that of the base, or with the position in the repository where it has none.
 */
export function sortKeySql(
  order: readonly OrderKey[],
  { position, baseKey }: { position: Expression; baseKey?: Expression | undefined },
  joins: PathJoins,
): Expression {
  if (order.length === 0 && baseKey !== undefined) return baseKey
  const keys = partsOf(order, joins).map((part) => sortKeyPart(part.value, part))
  const end =
    baseKey === undefined ? positionPart(position) : sortKeyEnd(baseKey, position, bytesMax.base)
  return sortKey(keys, end)
}

/**
 * Terms of ORDER BY in the order of the sort keys, of a base in the order of its repository: the first few of many are
 * found by them in a fifth of the time that writing the keys takes.
 */
export function orderTermsSql(
  order: readonly OrderKey[],
  position: Expression,
  joins: PathJoins,
): Expression {
  const terms = partsOf(order, joins).flatMap(({ value, kind, descending, optional }) => {
    const compared = kind === 'text' ? inCodePoints(value) : value
    const term = sql`${compared} ${sql.raw(descending ? 'desc' : 'asc')}`
    return optional ? [sql`${value} is null`, term] : [term]
  })
  return sql.join([...terms, position])
}

function partsOf(order: readonly OrderKey[], joins: PathJoins): Part[] {
  const parts = order.flatMap(({ path, descending, isNatural }) => {
    const value = joins.value(path)
    const { field, optional } = path
    const { key, kind } = isRowField(field)
      ? { key: value, kind: 'count' as const }
      : storedTypes[field.type].sortKey(value, field)
    const part = { value: key, kind, descending, optional, isNatural: false }
    return isNatural
      ? [
          { ...part, value, kind: 'text' as const, isNatural },
          { ...part, value, kind: 'text' as const },
        ]
      : [part]
  })
  const texts = parts.filter(({ kind }) => kind === 'text').length
  const characters = Math.min(charactersMax, Math.floor(bytesMax.texts / 4 / texts))
  return parts.map(({ value, isNatural, ...part }): Part => {
    if (part.kind !== 'text') return { ...part, value }
    // Digits that a number goes on with beyond the cut would change how it compares before it.
    const text = isNatural ? naturalKey(beginning(value, 4 * characters)) : value
    return { ...part, value: beginning(text, characters) }
  })
}
