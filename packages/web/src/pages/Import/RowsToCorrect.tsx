import { useQuery } from '@tanstack/react-query'
import type { Refusal } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import type { Sample, SampleValue } from '../../data/rows/sample.ts'
import type { SampleProblem } from './check-sample.ts'
import type { ColumnMapping } from './column-mapping.ts'
import type { InspectedFile } from './inspect-file.ts'
import { RefusedTable, type Correcting } from './RefusedTable.tsx'

type Props = {
  repo: string
  looked: InspectedFile
  mapping: ColumnMapping
  /** Problems of the first rows as they stand in the file. */
  refused: readonly SampleProblem[]
  correcting: Correcting
}

/** Rows of a file that would be refused, and those that an earlier import of it refused, to be corrected. */
export function RowsToCorrect({ repo, looked, mapping, refused, correcting }: Props) {
  const { queries } = useApp()
  const { earlier, sample } = looked
  const hasReport = earlier !== undefined && earlier.refusedRows > 0
  const { data: reported } = useQuery({
    ...queries.importReport(repo, earlier?.key ?? ''),
    enabled: hasReport,
  })
  const sampled = sample === undefined ? [] : refusalsOf(refused, { sample, mapping })
  const place = ({ line, field }: Refusal) => `${line} ${field}`
  const places = new Set(sampled.map(place))
  const refusals = [...sampled, ...(reported ?? []).filter((each) => !places.has(place(each)))]
  if (refusals.length === 0 && !hasReport) return null
  return (
    <RefusedTable
      refusals={hasReport && reported === undefined ? undefined : refusals}
      expectedRows={Math.min(earlier?.refusedRows ?? 0, 5)}
      correcting={correcting}
    />
  )
}

function refusalsOf(
  refused: readonly SampleProblem[],
  { sample: { columns, rows }, mapping }: { sample: Sample; mapping: ColumnMapping },
): Refusal[] {
  return refused.map(({ line, column, reason }) => {
    const index = rows.findIndex((row) => row.line === line)
    const field = column === undefined ? null : (mapping[column]?.split('.')[0] ?? null)
    const value = column === undefined ? undefined : rows[index]?.values[columns.indexOf(column)]
    const text =
      field !== null && reason.startsWith(`${field} `) ? reason.slice(field.length + 1) : reason
    return { row: index + 1, line, field, reason: text, value: textOf(value) }
  })
}

function textOf(value: SampleValue): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return String(value)
  if ('shown' in value) return value.shown
  return 'json' in value ? value.json : null
}
