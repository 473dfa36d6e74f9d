import { limits, quote, unknownName, type Problem, type SchemaField } from '@vitrine/contract'
import { failAt } from '../failure.ts'
import { malformed } from './malformed.ts'
import { columnNames, readColumn, type Column } from './rows/column.ts'

/** Where a column's problem is; a name may be as long as a row. */
const placeOf = (name: string) => ['columns', name.length > 200 ? `${name.slice(0, 199)}…` : name]

/**
 * What the columns of a file are for, by their names.
 * @throws Failure IMPORT_MALFORMED
 */
export function toColumns(
  names: readonly string[],
  {
    schema,
    mapping,
  }: { schema: readonly SchemaField[]; mapping: Readonly<Record<string, string | null>> },
): Column[] {
  if (names.length > limits.columns) {
    throw malformed(`has more than ${limits.columns} columns`)
  }
  const problems: Problem[] = []
  let problemsTotal = 0
  const addProblem = (makeProblem: () => Problem) => {
    problemsTotal += 1
    if (problems.length < limits.problems) problems.push(makeProblem())
  }
  const seen = new Set<string>()
  const columns = names.map((name): Column => {
    const mapped = Object.hasOwn(mapping, name) ? mapping[name]! : name
    if (mapped === null) return { kind: 'ignored' }
    const column = readColumn(mapped, schema)
    if (column === undefined) {
      addProblem(() => unknownName(placeOf(name), 'field', mapped, columnNames(schema)))
      return { kind: 'ignored' }
    }
    if (column.kind === 'ignored') return column
    // A lookup says what the value is.
    const aspect = `${column.kind === 'lookup' ? 'value' : column.kind} of ${column.field}`
    if (seen.has(aspect)) addProblem(() => ({ path: placeOf(name), reason: 'is there twice' }))
    seen.add(aspect)
    return column
  })
  for (const [index, { name, optional }] of schema.entries()) {
    const isThere = columns.some(
      (column) => (column.kind === 'value' || column.kind === 'lookup') && column.field === index,
    )
    if (!isThere && optional !== true) {
      addProblem(() => {
        return { path: ['columns', name], reason: `there is no column for ${quote(name)}` }
      })
    }
  }
  if (problemsTotal > 0) throw failAt('IMPORT_MALFORMED', problems, problemsTotal)
  return columns
}
