import type { ShownField } from '@vitrine/contract'
import { workbookNotes } from '@vitrine/rows/describe/describe-rows'
import { checkSample } from './check-sample.ts'
import { columnsParameter, guessMapping, mappingProblems } from './column-mapping.ts'
import { isGuarded, type ImportChoice } from './import-choice.ts'
import type { InspectedFile } from './inspect-file.ts'

/** Returns how to import a file without asking; undefined where a person has to decide. */
export function defaultChoice(
  looked: InspectedFile,
  schema: readonly ShownField[],
): ImportChoice | undefined {
  const { sample, format, earlier } = looked
  if (sample === undefined || sample.rows.length === 0 || earlier !== undefined) return undefined
  const mapping = guessMapping(sample, schema)
  const wrong = mappingProblems(mapping, schema)
  const refused = checkSample(sample, { mapping, schema, format })
  // A ' before a formula may be a guard, or the text itself.
  const isDoubtful = (format === 'csv' || format === 'tsv') && isGuarded(sample)
  const { delimiter: _, sheet: __, ...reading } = looked.reading
  const isFound = Object.values(reading).some((each) => each !== undefined)
  // Other sheets, merged and hidden cells are for a person to see.
  const isNoted = sample.workbook !== undefined && workbookNotes(sample.workbook).length > 0
  if (wrong.length + refused.length > 0 || isDoubtful || isFound || isNoted) return undefined
  return {
    mode: 'all',
    guard: false,
    reading: looked.reading,
    columns: columnsParameter(mapping),
    isAlone: false,
  }
}
