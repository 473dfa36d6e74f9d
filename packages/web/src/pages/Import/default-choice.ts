import type { ShownField } from '@vitrine/contract'
import { checkSample } from '../../import/check-sample.ts'
import { columnsParameter, guessMapping, mappingProblems } from './column-mapping.ts'
import { isGuarded, type ImportChoice } from '../../import/import-choice.ts'
import type { LookedAt } from '../../import/look-at-file.ts'

/** How to import a file of which nothing need be asked; undefined where something is wrong or new. */
export function choiceWithoutDoubt(
  { sample, format, earlier }: LookedAt,
  schema: readonly ShownField[],
): ImportChoice | undefined {
  if (sample === undefined || sample.rows.length === 0 || earlier !== undefined) return undefined
  const mapping = guessMapping(sample, schema)
  const wrong = mappingProblems(mapping, schema)
  const refused = checkSample(sample, { mapping, schema, format })
  // A ' before a formula may be a guard, or the text itself.
  const isDoubtful = (format === 'csv' || format === 'tsv') && isGuarded(sample)
  if (wrong.length + refused.length > 0 || isDoubtful) return undefined
  return { mode: 'all', guard: false, columns: columnsParameter(mapping) }
}
