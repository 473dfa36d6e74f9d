import { sql } from 'kysely'
import type { CheckedView } from '@vitrine/contract'
import type { Expression } from '../store/expressions.ts'
import { itemRow, keptField, type ShownField } from '../store/item-rows.ts'
import type { Definitions } from './definitions.ts'
import { PathJoins } from './path-joins.ts'

/** The columns to read from the items of a dataset, and the joins they need. */
export type Shown = { fields: readonly ShownField[]; joins: Expression }

/** All fields that a dataset shows, or only one of them. */
export function shownFields(name: string, definitions: Definitions, only?: string): Shown {
  const definition = definitions.get(name)
  if (definition.kind === 'view') return shownByView(definition.view, definitions, only)
  const fields = definition.fields
    .filter((field) => only === undefined || field.name === only)
    .map((field) => keptField(field, itemRow))
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
