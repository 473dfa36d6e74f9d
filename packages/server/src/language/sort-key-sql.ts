import { isRowField, type OrderKey } from '@vitrine/contract'
import {
  beginning,
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

/** A part of a sort key: its value, and of a text how many code points of it count. */
type Part = Pick<OrderKey, 'descending'> & {
  value: Expression
  kind: SortKind
  optional: boolean
  isNatural: boolean
}

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
  const parts = order.flatMap(({ path, descending, isNatural }): Part[] => {
    const value = joins.value(path)
    const { field, optional } = path
    const { key, kind } = isRowField(field)
      ? { key: value, kind: 'count' as const }
      : storedTypes[field.type].sortKey(value, field)
    const part = { value: key, kind, descending, optional, isNatural: false }
    return isNatural
      ? [
          { ...part, value, kind: 'text', isNatural },
          { ...part, value, kind: 'text' },
        ]
      : [part]
  })
  const texts = parts.filter(({ kind }) => kind === 'text').length
  const characters = Math.min(charactersMax, Math.floor(bytesMax.texts / 4 / texts))
  const keys = parts.map(({ value, isNatural, ...part }) => {
    if (part.kind !== 'text') return sortKeyPart(value, part)
    // Digits that a number goes on with beyond the cut would change how it compares before it.
    const text = isNatural ? naturalKey(beginning(value, 4 * characters)) : value
    return sortKeyPart(beginning(text, characters), part)
  })
  const end =
    baseKey === undefined ? positionPart(position) : sortKeyEnd(baseKey, position, bytesMax.base)
  return sortKey(keys, end)
}
