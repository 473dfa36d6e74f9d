import type { OrderKey } from '@vitrine/contract'
import { hexOf, positionPart, sortKey, sortKeyPart, type Expression } from '../store/expressions.ts'
import type { PathJoins } from '../language/path-joins.ts'

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
  const parts = order.map(({ path, descending }) =>
    sortKeyPart(joins.value(path), {
      type: path.field.type === 'string' ? 'text' : 'number',
      descending,
      optional: path.optional,
    }),
  )
  return sortKey(parts, 'baseKey' in ties ? hexOf(ties.baseKey) : positionPart(ties.position))
}
