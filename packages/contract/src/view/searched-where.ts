import { type Condition, logicNames } from './condition.ts'
import type { Exploration } from './exploration.ts'
import { searchWords } from '../text/fold-search.ts'
import { fieldTypes, typeOf } from '../values/index.ts'

/** Types whose values are compared as texts; JSON is searched too, but has the names of its keys in it. */
const textTypes: readonly string[] = fieldTypes.filter((type) =>
  typeOf({ type }).operators.includes('icontains'),
)

/** Whether words are looked for in values of a type. */
export function isSearchedType(type: string): boolean {
  return textTypes.includes(type)
}

const logic: readonly string[] = logicNames

/** The fields in which words are looked for; the language cannot name those that are named like its logic. */
export function searchedFields(schema: readonly { name: string; type: string }[]): string[] {
  return schema
    .filter(({ name, type }) => isSearchedType(type) && !logic.includes(name))
    .map(({ name }) => name)
}

/** The references in whose labels words are looked for, each with the dataset that it leads to. */
export function searchedReferences(
  schema: readonly { name: string; type: string; target?: string | undefined }[],
): { name: string; target: string }[] {
  return schema.flatMap(({ name, type, target }) =>
    type === 'reference' && target !== undefined && !logic.includes(name) ? [{ name, target }] : [],
  )
}

/** The condition that words are all in the label of what a reference leads to. */
export function searchedLabel(reference: string, label: string, q: string): Condition {
  return { [`${reference}.${label}`]: { search: q } }
}

/**
 * The condition that a filter and words make together: the words are all in one of the fields, or one of
 * the conditions on references holds. What was written keeps its place in it. Words for which there is
 * neither are left out.
 */
export function searchedWhere(
  { where, q = '' }: Pick<Exploration, 'where' | 'q'>,
  schema: readonly { name: string; type: string }[],
  inReferences: readonly Condition[] = [],
): Condition | undefined {
  const inFields = searchedFields(schema).map((name): Condition => ({ [name]: { search: q } }))
  const conditions = [...inFields, ...inReferences]
  if (conditions.length === 0 || searchWords(q).length === 0) return where
  const words = conditions.length === 1 ? conditions[0]! : { any: conditions }
  if (where === undefined) return words
  const { all = [] } = where as { all?: Condition[] }
  return { ...where, all: [...all, words] }
}
