import { sql } from 'kysely'
import type { CheckedView } from '@vitrine/contract'
import { beginning, length, type Expression } from '../store/expressions.ts'
import { itemRow, storedField, type ShownField } from '../store/item-rows.ts'
import type { Definitions } from './definitions.ts'
import { storedTypes } from '../values/stored-types.ts'
import { PathJoins } from './path-joins.ts'

/** Bytes of a code point in UTF-8. */
const codePointBytesMax = 4

/** The columns to read from the items of a dataset, and the joins they need. */
export type Shown = { fields: readonly ShownField[]; joins: Expression }

/** Cuts texts that may be cut off after a number of code points. */
export function cutTexts({ fields, joins }: Shown, characters: number): Shown {
  const cut = fields.map((field): ShownField => {
    const { type, cell, bytesMax } = field
    if (storedTypes[type].isCut !== true || bytesMax <= characters) return field
    const whole = length(cell)
    return {
      ...field,
      cell: beginning(cell, characters),
      length: sql`case when ${whole} > ${sql.lit(characters)} then ${whole} end`,
      bytesMax: Math.min(bytesMax, characters * codePointBytesMax),
    }
  })
  return { fields: cut, joins }
}

/** All fields that a dataset shows, or only one of them. */
export function shownFields(name: string, definitions: Definitions, only?: string): Shown {
  const definition = definitions.get(name)
  if (definition.kind === 'view') return shownByView(definition.view, definitions, only)
  const fields = definition.fields
    .filter((field) => only === undefined || field.name === only)
    .map((field) => storedField(field, itemRow))
  return { fields, joins: sql`` }
}

export function shownByView(
  { base, fields }: Pick<CheckedView, 'base' | 'fields'>,
  definitions: Definitions,
  only?: string,
): Shown {
  const joins = new PathJoins(base.name, definitions)
  const shown = fields
    .filter(({ field }) => only === undefined || field.name === only)
    .map((each) => joins.shown(each))
  return { fields: shown, joins: joins.sql }
}
