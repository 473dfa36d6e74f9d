import type { Reading } from '@vitrine/rows/reading'
import type { Sample } from '../../data/rows/sample.ts'
import type { ColumnMapping } from './column-mapping.ts'

/** Options of an import that the user chooses. */
export type ImportChoice = {
  mode: 'all' | 'skip'
  guard: boolean
  /** How the file is read. */
  reading: Reading
  columns: ColumnMapping | undefined
  /** Whether only rows with corrections are imported. */
  isAlone: boolean
  /** Undefined where every row is a new item. */
  matching?: Matching | undefined
}

/** Fields by which rows are matched with items, or `id`, and the reason for which these are corrected. */
export type Matching = { match: readonly string[]; reason: string }

/** Whether enough is said of how rows are matched. */
export function isComplete({ match, reason }: Matching): boolean {
  return match.length > 0 && reason.trim() !== ''
}

/** Whether cells look like those of an export for spreadsheets, which guards them. */
export function isGuarded(sample: Sample | undefined): boolean {
  return (sample?.rows ?? []).some(({ values }) =>
    values.some((value) => typeof value === 'string' && /^'+[=+\-@\t\r\n]/.test(value)),
  )
}
