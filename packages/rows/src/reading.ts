/** How a file differs from others of its format. */
export type Reading = {
  /** Encoding of text by its name (`encodingOf`); UTF-8 where it is left out. */
  encoding?: string | undefined
  /** Delimiter of CSV and TSV, as all that follows is; detected where it is left out. */
  delimiter?: string | undefined
  /** Quote around cells that hold delimiters or line breaks, or `none`; `"` where it is left out. */
  quote?: string | undefined
  /** Escape character: makes a quote, a line end or itself after it text, and outside of quotes a delimiter. */
  escape?: string | undefined
  /** Text of a cell without quotes that has no value; in a workbook, what it shows. */
  null?: string | undefined
  /** `none` where the first row has no names; columns then are `column_1` and so on. */
  header?: 'none' | undefined
  /** Prefix of lines that are no rows, where a row may begin. */
  comment?: string | undefined
  /** Lines before that of names; in a workbook rows of its sheet. */
  skip?: number | undefined
  /** Sheet of a workbook; the first that is not hidden where it is left out. */
  sheet?: string | undefined
}

/** Returns how a file is read, of options that say more. */
export function pickReading({
  encoding,
  delimiter,
  quote,
  escape,
  null: nullText,
  header,
  comment,
  skip,
  sheet,
}: Reading): Reading {
  return { encoding, delimiter, quote, escape, null: nullText, header, comment, skip, sheet }
}

/** The formats of rows that are text. */
export type TextFormat = 'ndjson' | 'json' | 'csv' | 'tsv'
export type RowFormat = TextFormat | 'parquet' | 'xlsx'

export type ReadOptions = Reading & {
  format: RowFormat
  /** The rows that are wanted, where not all are: of Parquet no more are decoded. */
  rowsMost?: number
  /** Whether it is found out by its beginning how text is read, where nothing but a delimiter is given. */
  isDetected?: boolean
}
