import { isRowField, type OrderKey } from '@vitrine/contract'
import {
  hexOf,
  naturalKey,
  positionPart,
  sortKey,
  sortKeyPart,
  type Expression,
} from '../store/expressions.ts'
import { storedTypes } from '../values/index.ts'
import type { PathJoins } from './path-joins.ts'

/**
 * The sort key of an item: bytes whose order is the order of a view. Ties stand as they do in the base,
 * so the key ends with that of the base, or with the position in the repository where it has none.
 */
export function sortKeySql(
  order: readonly OrderKey[],
  ties: { baseKey: Expression } | { position: Expression },
  joins: PathJoins,
): Expression {
  if (order.length === 0 && 'baseKey' in ties) return ties.baseKey
  const parts = order.flatMap(({ path, descending, isNatural }) => {
    const value = joins.value(path)
    const { field, optional } = path
    if (isNatural) {
      return [naturalKey(value), value].map((text) =>
        sortKeyPart(text, { kind: 'text', descending, optional }),
      )
    }
    const { key, kind } = isRowField(field)
      ? { key: value, kind: 'count' as const }
      : storedTypes[field.type].sortKey(value, field)
    return sortKeyPart(key, { kind, descending, optional })
  })
  return sortKey(parts, 'baseKey' in ties ? hexOf(ties.baseKey) : positionPart(ties.position))
}
