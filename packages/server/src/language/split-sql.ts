import { isRowField, type Path, type Split } from '@vitrine/contract'
import { sql } from 'kysely'
import { digitsOf, splitPoint, type Expression } from '../store/expressions.ts'
import { itemRow } from '../store/item-rows.ts'
import { storedTypes } from '../values/index.ts'
import type { PathJoins } from './path-joins.ts'

/** Cost of computing one hash, beside the costs of predicates. */
export const splitCost = 60

/** Whether an item is in the part of a split that a view takes. */
export function splitSql({ by, salt, total, take }: Split, joins: PathJoins): Expression {
  const key = by === undefined ? digitsOf(itemRow('id')) : textSql(by, joins)
  const point = splitPoint(sql`coalesce(${key}, '')`, salt, total)
  return sql`${point} between ${take.from} and ${take.to - 1}`
}

/** The value at the end of a path as text. */
function textSql(path: Path, joins: PathJoins): Expression {
  const value = joins.value(path)
  return isRowField(path.field) ? digitsOf(value) : storedTypes[path.field.type].text(value)
}
