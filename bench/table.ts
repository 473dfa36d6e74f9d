import { isMet, judged, type Figure } from './measurement.ts'

/** Prints figures with their limits, goals and whether these are met, in columns. */
export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [
    figure.what,
    amount(figure.value, figure.unit),
    figure.limit === undefined ? '' : amount(figure.limit.value, figure.unit),
    figure.limit?.what ?? '',
    figure.limit === undefined ? '' : percent(judged(figure)),
    goalText(figure),
    metText(isMet(figure)),
  ])
  const head = ['', 'measured', 'limit', '', 'of it', 'goal', '']
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  for (const row of all) {
    const cells = row.map((cell, column) =>
      [1, 2, 4].includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    )
    console.log(`  ${cells.join('  ').trimEnd()}`)
  }
}

function amount(value: number, unit: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`.trim()
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`
}

function goalText({ goal, limit, unit }: Figure): string {
  if (goal === undefined) return ''
  const [words, bound] = 'atLeast' in goal ? ['at least', goal.atLeast] : ['at most', goal.atMost]
  return `${words} ${limit === undefined ? amount(bound, unit) : percent(bound)}`
}

function metText(met: boolean | undefined): string {
  return met === undefined ? '' : met ? 'met' : 'MISSED'
}
