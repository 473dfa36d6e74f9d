import { logicNames, type Condition } from './condition.ts'
import type { Exploration } from './exploration.ts'
import { fieldTypes } from './field.ts'
import { searchWords } from './fold-search.ts'
import { typeOf } from './values/index.ts'

/** Types whose values are compared as texts; JSON is searched too, but has the names of its keys in it. */
const textTypes: readonly string[] = fieldTypes.filter((type) =>
  typeOf({ type }).operators.includes('icontains'),
)

/** Whether words are looked for in values of a type. */
export function isSearchedType(type: string): boolean {
  return textTypes.includes(type)
}

/** The fields in which words are looked for; the language cannot name those that are named like its logic. */
export function searchedFields(schema: readonly { name: string; type: string }[]): string[] {
  const logic: readonly string[] = logicNames
  return schema
    .filter(({ name, type }) => isSearchedType(type) && !logic.includes(name))
    .map(({ name }) => name)
}

/**
 * The condition that a filter and words make together: the words are all in one of the fields. What was
 * written keeps its place in it. Words for which there is no field are left out.
 */
export function searchedWhere(
  { where, q = '' }: Pick<Exploration, 'where' | 'q'>,
  schema: readonly { name: string; type: string }[],
): Condition | undefined {
  const inFields = searchedFields(schema).map((name): Condition => ({ [name]: { search: q } }))
  if (inFields.length === 0 || searchWords(q).length === 0) return where
  const found = inFields.length === 1 ? inFields[0]! : { any: inFields }
  if (where === undefined) return found
  const { all = [] } = where as { all?: Condition[] }
  return { ...where, all: [...all, found] }
}
