import type { Io } from './io.ts'

/**
 * Prints rows as people read them on a terminal, in columns under their names; elsewhere each as one
 * line of fields with tabs between them, as other programs read them.
 */
export function printTable(
  { stdout, console }: Io,
  names: readonly string[],
  rows: (readonly string[])[],
): void {
  if (stdout.isTTY !== true) {
    for (const row of rows) console.log(row.map(visible).join('\t'))
    return
  }
  const cells = [names.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(visible))]
  const widths = names.map((_, column) =>
    Math.min(cellMax, Math.max(...cells.map((row) => row[column]!.length))),
  )
  for (const row of cells) {
    console.log(
      row
        .map((cell, column) => fit(cell, widths[column]!))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Characters of one cell on a terminal: a digest has as many. */
const cellMax = 64

function fit(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width)
}

/** Shows control characters instead of obeying them: what people put into items may hold any. */
export function visible(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Such as `1 row` or `12,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
