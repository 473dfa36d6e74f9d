import { endOfLineAt } from './record-end.ts'

/** In bytes, what may stand before the line of names. */
export const preambleMax = 1024 * 1024

/**
 * With what lines begin that keep the numbers of those after them in a corrected file of one column, where an empty
 * line is a row.
 */
export const paddingComment = '#~vitrine~'

/** Why a file is refused whose skipped lines take more. */
export const skipsTooMuch = `has more than ${preambleMax / 1024 ** 2} MiB in the lines that are skipped`

/** Text before the line of names of a delimited file. */
export type Preamble = {
  bytes: number
  lines: number
  /** Delimiter that the file itself declares. */
  delimiter?: string
}

const utf8 = new TextDecoder()
const lineEnds = [0x0a, 0x0d]
/** A line by which spreadsheets are told what stands between cells. */
const separator = /^"?sep=(?<delimiter>[\t !-/:-@[-`{-~])"?[\r\n]*$/i

/**
 * Reads what stands before the line of names: so many lines that say nothing, and one that names the delimiter.
 * @param head the beginning of the text, at most `preambleMax` bytes
 * @returns undefined where more lines are to be skipped than it has
 */
export function readPreamble(head: Uint8Array, skip: number): Preamble | undefined {
  let bytes = 0
  for (let line = 0; line < skip; line += 1) {
    const end = endOfLineAt(head, bytes)
    if (end === bytes || !lineEnds.includes(head[end - 1]!)) return undefined
    bytes = end
  }
  const next = endOfLineAt(head, bytes)
  const match = next - bytes > 10 ? null : separator.exec(utf8.decode(head.subarray(bytes, next)))
  const delimiter = match?.groups?.['delimiter']
  return delimiter === undefined
    ? { bytes, lines: skip }
    : { bytes: next, lines: skip + 1, delimiter }
}
