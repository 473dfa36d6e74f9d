import { type Feature, type ShownField, idMatches } from '@vitrine/contract'
import type { Sample } from '../../data/rows/sample.ts'

/**
 * Target of each column of a file: a field, or something about one, as docs/import-export.md names
 * it; null where it is left out.
 */
export type ColumnMapping = Readonly<Record<string, string | null>>

/** The columns of exports that an import gives by itself. */
const givenByImport = ['id', 'createdAt']

/** Columns that name the items of rows that are matched, and those by which rows say themselves which they correct. */
const idColumns = ['id']
const correctionColumns = ['id.replaces', 'id.withdraws', 'id.reason']

/** Lists the columns about items that a server takes of rows that are matched. */
export function itemColumns(features: readonly Feature[]): readonly string[] {
  return features.includes('import-corrections') ? [...idColumns, ...correctionColumns] : idColumns
}

type LookupFields = (target: string) => readonly ShownField[]

/** Lists the targets that a column may have, of rows that are matched with items also those about these. */
export function columnTargets(
  schema: readonly ShownField[],
  fieldsOf: LookupFields,
  aboutItems: readonly string[] = [],
): string[] {
  const targets = schema.flatMap(({ name, type, target }) => [
    name,
    ...(type === 'reference' && target !== undefined
      ? fieldsOf(target)
          .filter((field) => field.type !== 'binary')
          .map((field) => `${name}.lookup.${field.name}`)
          .concat(`${name}.seal`)
      : []),
    ...(type === 'binary' ? [`${name}.mime`] : []),
    `${name}.sha256`,
  ])
  return [...aboutItems, ...targets]
}

/** Lists by what rows may be matched with items: fields that a column is for, and the names in `idMatches`. */
export function matchableFields(mapping: ColumnMapping, schema: readonly ShownField[]): string[] {
  const targets = new Set(
    Object.values(mapping).map((target) =>
      target === 'id.withdraws' ? 'id.replaces' : target?.replace(/\.lookup\..*/, ''),
    ),
  )
  return [...idMatches, ...schema.map(({ name }) => name)].filter((name) => targets.has(name))
}

/** Takes columns about items by their names, or leaves such columns out where rows are not matched. */
export function withItemColumns(
  mapping: ColumnMapping,
  aboutItems: readonly string[],
  isMatched: boolean,
): ColumnMapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([column, target]) => {
      if (target !== null && aboutItems.includes(target) && !isMatched) return [column, null]
      return [column, aboutItems.includes(column) && isMatched ? (target ?? column) : target]
    }),
  )
}

/** Returns the match that is chosen at first: what the columns say of items. */
export function firstMatch(mapping: ColumnMapping, schema: readonly ShownField[]): string[] {
  const [first] = matchableFields(mapping, schema)
    .filter((name) => idMatches.includes(name))
    .toReversed()
  return first === undefined ? [] : [first]
}

/** Guesses by names: the very name, or the one field that is spelt alike. */
export function guessMapping(
  { columns, fieldNames }: Pick<Sample, 'columns' | 'fieldNames'>,
  schema: readonly ShownField[],
): ColumnMapping {
  const taken = new Set<string>()
  const guesses = new Map<string, string | null>()
  const guess = (column: string, target: string | undefined) => {
    if (target === undefined || taken.has(target) || guesses.has(column)) return
    taken.add(target)
    guesses.set(column, target)
  }
  for (const column of columns) {
    if (isTarget(column, schema)) guess(column, column)
  }
  for (const [index, column] of columns.entries()) {
    const wanted = spelling(fieldNames[index]!)
    const alike = schema.filter(({ name }) => spelling(name) === wanted)
    if (!givenByImport.includes(column) && alike.length === 1) guess(column, alike[0]?.name)
  }
  return Object.fromEntries(columns.map((column) => [column, guesses.get(column) ?? null]))
}

function isTarget(column: string, schema: readonly ShownField[]): boolean {
  const [name, aspect, by, ...more] = column.split('.')
  const field = schema.find((each) => each.name === name)
  if (field === undefined || more.length > 0) return false
  if (aspect === 'lookup') return field.type === 'reference' && by !== undefined && by !== ''
  if (by !== undefined) return false
  if (aspect === 'seal') return field.type === 'reference'
  if (aspect === 'mime') return field.type === 'binary'
  return aspect === undefined || aspect === 'sha256'
}

function spelling(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** Makes the parameter `columns` of a mapping, of the targets that are not the server's defaults. */
export function columnsParameter(mapping: ColumnMapping): ColumnMapping | undefined {
  const renamed = Object.entries(mapping).filter(
    ([column, target]) => target !== column && !(target === null && givenByImport.includes(column)),
  )
  return renamed.length === 0 ? undefined : Object.fromEntries(renamed)
}

/**
 * Finds the problems of a mapping that prevent any import, one sentence each. Where rows are matched with items, what no column
 * is for stays as it is.
 * @param match undefined where every row is a new item
 */
export function mappingProblems(
  mapping: ColumnMapping,
  schema: readonly ShownField[],
  match?: readonly string[],
): string[] {
  const columnsOf = new Map<string, string[]>()
  for (const [column, target] of Object.entries(mapping)) {
    if (target === null) continue
    columnsOf.set(target, [...(columnsOf.get(target) ?? []), column])
  }
  const doubled = [...columnsOf]
    .filter(([, columns]) => columns.length > 1)
    .map(([target, columns]) => `${columns.join(' and ')} are both for ${target}`)
  const missing = schema
    .filter(
      ({ name, optional }) =>
        match === undefined && optional !== true && !hasValue(name, columnsOf),
    )
    .map(({ name }) => `The field ${name} is required, and no column is for it`)
  const isNothing = columnsOf.size === 0 && Object.keys(mapping).length > 0
  const nothing = isNothing ? ['No column is for a field: choose one at least'] : []
  const unused =
    match === undefined || match.length === 0 || match.includes('id.replaces')
      ? []
      : correctionColumns
          .flatMap((target) => columnsOf.get(target) ?? [])
          .map((column) => `The column ${column} is for rows that say which items they correct`)
  return [...nothing, ...doubled, ...missing, ...unused]
}

function hasValue(name: string, columnsOf: ReadonlyMap<string, unknown>): boolean {
  return [...columnsOf.keys()].some(
    (target) => target === name || target.startsWith(`${name}.lookup.`),
  )
}
