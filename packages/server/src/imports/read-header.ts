import { limits, quote, unknownName, type Problem, type SchemaField } from '@vitrine/contract'
import { parseDelimited, type Cell, type Dialect } from '@vitrine/rows/parse-delimited'
import { failAt } from '../failure.ts'
import type { ImportedFile } from './imported-file.ts'
import { malformed } from './malformed.ts'
import { columnNames, readColumn, type Column } from './rows/column.ts'
import { endOfRecord, usualBlocks } from './rows/cut-blocks.ts'
import { decodeBlock } from './rows/decode-block.ts'
import { tooLong } from './rows/row-bytes.ts'

/**
 * Reads the line of names of a CSV or TSV file, which may have line breaks in quotes.
 * @returns the columns, and where the rows begin: at which byte, on which line
 * @throws Failure IMPORT_MALFORMED
 */
export async function readHeader(
  file: ImportedFile,
  {
    start,
    dialect,
    schema,
    mapping,
  }: {
    start: number
    dialect: Dialect
    schema: readonly SchemaField[]
    mapping: Readonly<Record<string, string | null>>
  },
): Promise<{ columns: Column[]; start: number; lines: number }> {
  const { head, isWhole } = await readFirstLine(file, start, dialect)
  const decoded = decodeBlock(head)
  if (!decoded.ok && decoded.line === 0) throw malformed('the first line is not valid UTF-8')
  const text = decoded.ok ? decoded.text : Buffer.from(decoded.before, 'latin1').toString('utf8')
  let names: Cell[] | undefined
  const { end, lines, error } = parseDelimited(text, dialect, (cells) => {
    names = cells
    return false
  })
  if (!isWhole) {
    throw malformed(`the first line ${tooLong}${error === undefined ? '' : `: ${error.reason}`}`)
  }
  if (error !== undefined) throw malformed(`the first line: ${error.reason}`)
  if (names === undefined) throw malformed('there is no line of names')
  const columns = toColumns(
    names.map((name) => name ?? ''),
    { schema, mapping },
  )
  return { columns, start: start + Buffer.byteLength(text.slice(0, end)), lines }
}

/** The beginning of a file with its first line, unless that is longer than a line may be. */
async function readFirstLine(
  file: ImportedFile,
  start: number,
  dialect: Dialect,
): Promise<{ head: Buffer; isWhole: boolean }> {
  let head: Buffer = Buffer.alloc(0)
  for (const size of [usualBlocks.block, usualBlocks.rowMax]) {
    head = await file.read(start, Math.min(file.size, start + size))
    const end = endOfRecord(dialect)(head)
    if (end > 0) return { head: head.subarray(0, end), isWhole: true }
    if (start + head.length === file.size) return { head, isWhole: true }
  }
  return { head, isWhole: false }
}

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
