import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCast } from '../src/view/cast.ts'
import { canonicalText, textOf, type SchemaField } from '../src/index.ts'

const text = readFileSync(new URL('../../../docs/value-types.md', import.meta.url), 'utf8')

/** The rows of the table of what programs print. */
const printed = text
  .split('\n\n')
  .find((block) => block.startsWith('| Program '))!
  .split('\n')
  .slice(2)
  .map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  .map(([, program, its, prints, type, kept]) => ({ program, its, prints, type, kept }))

test.each(printed)('$program prints $its as $prints: $type $kept', ({ prints, type, kept }) => {
  const field = { name: 'v', type } as SchemaField
  const { fromFile, toText } = textOf(field)!
  const read = fromFile(prints, field)
  expect(read.ok ? toText(read.value) : 'refused').toBe(kept)
  const cast = readCast(field, prints!)
  expect(cast === undefined ? 'refused' : canonicalText(field, cast)).toBe(kept)
})

test('the table of printed values covers exactly the expected programs', () => {
  const databases = ['PostgreSQL', 'BigQuery', 'Snowflake', 'SQL Server']
  const languages = ['pandas', 'R, write.csv', 'R, readr', 'Go', 'Ruby']
  const spreadsheets = ['LibreOffice', 'Gnumeric']
  const programs = new Set(printed.map(({ program }) => program))
  expect(programs).toEqual(new Set([...databases, ...languages, ...spreadsheets]))
})
