import type { Exploration } from '@vitrine/contract'
import { conditionText, type ItemName } from '../explore/filter-text.ts'
import { orderText } from '../explore/sort-order.ts'

/** Describes an exploration in words; empty without clauses. */
export function explorationText(
  { where, q, order, current }: Exploration,
  nameOf?: ItemName,
): string {
  return [
    ...(current === true ? ['current items only'] : []),
    ...(where === undefined ? [] : [conditionText(where, nameOf)]),
    ...(q === undefined ? [] : [`with the words ${q}`]),
    ...(order === undefined ? [] : [`sorted by ${orderText(order)}`]),
  ].join(', ')
}
