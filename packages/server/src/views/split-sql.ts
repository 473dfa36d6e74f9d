import type { Split } from '@vitrine/contract'
import { sql } from 'kysely'
import { keyText, splitPoint, type Expression } from '../store/expressions.ts'
import { itemRow } from '../store/item-rows.ts'
import type { PathJoins } from '../language/path-joins.ts'

/** Of computing one hash, beside the costs of predicates. */
export const splitCost = 60

/** Whether an item is in the part of a split that a view takes. */
export function splitSql({ by, salt, total, take }: Split, joins: PathJoins): Expression {
  const key = by === undefined ? itemRow('id') : joins.value(by)
  const point = splitPoint(keyText(key), salt, total)
  return sql`${point} between ${take.from} and ${take.to - 1}`
}
