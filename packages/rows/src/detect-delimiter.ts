import { isEmptyLine, parseDelimited, type Dialect } from './parse-delimited.ts'

/** Delimiters that are detected, as files usually have them. */
export const usualDelimiters = [',', ';', '\t', '|'] as const

/** How much of a file is looked at: characters, and records. */
const looked = { characters: 64 * 1024, records: 50 }

/**
 * Finds out what stands between the cells of a delimited file by its beginning: that by which all its lines have
 * the same number of cells, and the most of them; the usual one where none does.
 */
export function detectDelimiter(text: string, usual: Dialect): string {
  const head = text.slice(0, looked.characters)
  let [best, bestWidth] = [usual.delimiter, Math.max(1, evenWidth(head, usual))]
  for (const delimiter of usualDelimiters) {
    const width = evenWidth(head, { ...usual, delimiter })
    if (width > bestWidth) [best, bestWidth] = [delimiter, width]
  }
  return best
}

/** How many cells each record has; 0 where they differ. The last one may be cut off. */
function evenWidth(text: string, dialect: Dialect): number {
  const widths: number[] = []
  parseDelimited(text, dialect, (cells) => {
    if (!isEmptyLine(cells)) widths.push(cells.length)
    return widths.length < looked.records
  })
  if (widths.length > 1 && widths.length < looked.records && !/[\r\n]$/.test(text)) widths.pop()
  return new Set(widths).size === 1 ? widths[0]! : 0
}
