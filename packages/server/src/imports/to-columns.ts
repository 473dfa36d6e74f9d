// Runs on the main thread.

import { limits, quote, unknownName, type Problem, type SchemaField } from '@vitrine/contract'
import { nameColumns } from '@vitrine/rows/column-names'
import { failAt } from '../failure.ts'
import { malformed } from './import-file.ts'
import { columnNames, fieldsOf, readColumn, type Column } from './rows/column.ts'

/** Fields that columns are for, by their names or as mapped, and those by which rows are matched with items. */
export type ImportTarget = {
  schema: readonly SchemaField[]
  mapping: Readonly<Record<string, string | null>>
  match: readonly string[] | undefined
}

/** Returns the path of a column's problem; a name may be as long as a row. */
const placeOf = (name: string) => ['columns', name.length > 200 ? `${name.slice(0, 199)}…` : name]

/**
 * Maps the columns of a file to fields, by their names.
 * @throws Failure IMPORT_MALFORMED
 */
export function toColumns(
  written: readonly string[],
  { schema, mapping, match }: ImportTarget,
): Column[] {
  if (written.length > limits.columns) {
    throw malformed(`has more than ${limits.columns} columns`)
  }
  const problems: Problem[] = []
  let problemsTotal = 0
  const addProblem = (makeProblem: () => Problem) => {
    problemsTotal += 1
    if (problems.length < limits.problems) problems.push(makeProblem())
  }
  const seen = new Set<string>()
  const columns = nameColumns(written).map((name, at): Column => {
    // A mapping may name a column without a name as the file does.
    const keys = written[at]!.trim() === '' ? [name, written[at]!] : [name]
    const key = keys.find((each) => Object.hasOwn(mapping, each))
    const mapped = key === undefined ? name : mapping[key]!
    if (mapped === null) return { kind: 'ignored' }
    const column = readColumn(mapped, schema, match)
    if (column === undefined) {
      addProblem(() =>
        unknownColumn(name, mapped, { schema, at, written: written[at]!, count: written.length }),
      )
      return { kind: 'ignored' }
    }
    if (column.kind === 'ignored') return column
    // A lookup says what the value is.
    const aspect =
      column.kind === 'item'
        ? column.about
        : `${column.kind === 'lookup' ? 'value' : column.kind} of ${column.field}`
    if (seen.has(aspect)) addProblem(() => ({ path: placeOf(name), reason: 'is there twice' }))
    seen.add(aspect)
    return column
  })
  const fields = fieldsOf(columns)
  const missing = schema.flatMap(({ name, optional }, index) => {
    // What no column is for stays as it is where an item is replaced.
    const isNeeded = match === undefined ? optional !== true : match.includes(name)
    return isNeeded && !fields.has(index) ? [name] : []
  })
  if (match?.[0] === 'id' && !seen.has('id')) missing.push('id')
  if (match?.[0] === 'id.replaces' && !seen.has('replaces') && !seen.has('withdraws')) {
    missing.push('id.replaces')
  }
  for (const name of missing) {
    addProblem(() => {
      return { path: ['columns', name], reason: `there is no column for ${quote(name)}` }
    })
  }
  if (problemsTotal > 0) throw failAt('IMPORT_MALFORMED', problems, problemsTotal)
  return columns
}

const delimiters = { ';': 'semicolons', '\t': 'tabs', ',': 'commas', '|': 'bars' }

/** Returns what a name has most of that is all of a line of names. */
function likelyDelimiter(name: string): string | undefined {
  const counts = Object.entries(delimiters).map(([character, noun]) => {
    return { noun, count: name.split(character).length - 1 }
  })
  const [most] = counts.toSorted((a, b) => b.count - a.count)
  return most!.count === 0 ? undefined : most!.noun
}

function unknownColumn(
  name: string,
  mapped: string,
  {
    schema,
    at,
    written,
    count,
  }: { schema: readonly SchemaField[]; at: number; written: string; count: number },
): Problem {
  const { path, reason } = unknownName(placeOf(name), 'field', mapped, columnNames(schema))
  const parted = at === 0 && count === 1 ? likelyDelimiter(written) : undefined
  if (parted !== undefined) {
    return {
      path,
      reason: `${reason}; the cells seem to be parted by ${parted}: say so by the delimiter`,
    }
  }
  if (name === written) return { path, reason }
  const why = written.trim() === '' ? 'has no name' : `is called ${quote(written)}, as another one`
  return { path, reason: `${reason}; column ${at + 1} ${why}` }
}
