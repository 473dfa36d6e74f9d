import type { FieldType, SchemaField } from '@vitrine/contract'
import { sql } from 'kysely'
import { castText, isOneOf, plainJson, type Expression } from '../store/expressions.ts'
import { storedTypes } from '../values/index.ts'

/** A cell cast to one type after the other, as the contract's `castValue` does. */
export function castSql(
  cell: Expression,
  type: FieldType,
  casts: readonly SchemaField[],
): Expression {
  const [to, ...rest] = casts
  return to === undefined ? cell : castSql(castOnce(cell, type, to), to.type, rest)
}

function castOnce(cell: Expression, from: FieldType, to: SchemaField): Expression {
  const read = castText(sourceSql(cell, from, to.type), to.type)
  if (to.type !== 'string' || to.choices === undefined) return read
  return sql`case when ${isOneOf(read, to.choices, 'text')} then ${read} end`
}

/** The text that is read: of JSON text without its quotes, of a moment its day where a day is read. */
function sourceSql(cell: Expression, from: FieldType, to: FieldType): Expression {
  if (from === 'json') return plainJson(cell)
  return from === 'timestamp' && to === 'date'
    ? sql`substr(${cell}, 1, ${sql.lit('yyyy-mm-dd'.length)})`
    : storedTypes[from].text(cell)
}
