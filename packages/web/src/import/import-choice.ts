import type { Sample } from '../rows/sample.ts'
import type { ColumnMapping } from '../pages/Import/column-mapping.ts'

/** What the user chooses of an import. */
export type ImportChoice = {
  mode: 'all' | 'skip'
  guard: boolean
  columns: ColumnMapping | undefined
}

/** Whether cells look like those of an export for spreadsheets, which guards them. */
export function isGuarded(sample: Sample | undefined): boolean {
  return (sample?.rows ?? []).some(({ values }) =>
    values.some((value) => typeof value === 'string' && /^'+[=+\-@\t\r\n]/.test(value)),
  )
}
