import type { FieldType } from '@vitrine/contract'
import { sql } from 'kysely'
import { digitsOf, numberText, type Expression } from './expressions.ts'

/** Returns the canonical text of a cell of a type; a binary's is its sha256. */
export const cellText = (type: FieldType, cell: Expression): Expression => texts[type](cell)

const texts: Record<FieldType, (cell: Expression) => Expression> = {
  string: (cell) => cell,
  integer: digitsOf,
  number: numberText,
  boolean: (cell) => sql`case ${cell} when 1 then 'true' when 0 then 'false' end`,
  date: (cell) => cell,
  timestamp: (cell) => sql`${cell} || 'Z'`,
  duration: durationText,
  url: (cell) => cell,
  json: (cell) => cell,
  reference: digitsOf,
  binary: (cell) => cell,
}

/** The contract's `durationText` of microseconds, on both engines. */
function durationText(cell: Expression): Expression {
  const size = sql`abs(${cell})`
  /** A number of units, or no text for none. */
  const part = (micros: number, below: number, unit: string) => {
    const count = sql`${size} / ${sql.lit(micros)} % ${sql.lit(below)}`
    return sql`case when ${count} > 0 then cast(${count} as text) || ${sql.lit(unit)} else '' end`
  }
  const fraction = sql`case when ${size} % 1000000 > 0
    then '.' || rtrim(substr(cast(1000000 + ${size} % 1000000 as text), 2), '0') else '' end`
  const seconds = sql`case when ${size} % 60000000 > 0
    then cast(${size} / 1000000 % 60 as text) || ${fraction} || 'S' else '' end`
  return sql`case when ${cell} is null then null when ${cell} = 0 then 'PT0S' else
    case when ${cell} < 0 then '-P' else 'P' end || ${part(86_400_000_000, 1e6, 'D')}
    || case when ${size} % 86400000000 > 0 then 'T' || ${part(3_600_000_000, 24, 'H')}
      || ${part(60_000_000, 60, 'M')} || ${seconds} else '' end end`
}
