import * as z from 'zod/mini'
import { encodingOf } from '../text/encoding.ts'
import { limits } from '../limits.ts'
import { idMatches } from '../repo/correcting-rows.ts'
import { reason } from './correction.ts'
import { sha256Hex } from './digest.ts'
import { errorBody } from './errors.ts'
import { itemValue } from './item.ts'
import { digits, flag, parseJson } from './query-text.ts'

/** `json` is an array; `zip` and `tar` hold rows and the files that they name (docs/import-export.md). */
export const importFormats = [
  'ndjson',
  'json',
  'csv',
  'tsv',
  'parquet',
  'xlsx',
  'zip',
  'tar',
] as const
export type ImportFormat = (typeof importFormats)[number]

/**
 * Treatment of rows that do not conform: with `all` nothing is imported when one is refused, with `skip`
 * the good rows are.
 */
export const importModes = ['all', 'skip'] as const

/** Names an import within its repository; a client may choose one when it begins the import. */
export const importKey = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      'must be 1 to 128 letters, digits, dots, dashes and underscores, a letter or digit first',
    ),
  )

/** A character in ASCII that no line break and no letter or digit is. */
const punctuation = z
  .string()
  .check(z.regex(/^[\t !-/:-@[-`{-~]$/, 'must be one character that is no letter and no digit'))

/** By any of its labels; the name is what stays. */
const encoding = z.pipe(
  z.string().check(z.maxLength(40)),
  z.transform((label, context) => {
    const name = encodingOf(label)
    if (name !== undefined) return name === 'utf-8' ? undefined : name
    const message =
      'must be an encoding of the Encoding Standard, such as windows-1252, utf-16le or shift_jis'
    context.issues.push({ code: 'custom', message, input: label })
    return z.NEVER
  }),
)

const commentPrefix = z
  .string()
  .check(z.regex(/^[!-~]{1,10}$/, 'must be 1 to 10 characters of ASCII without spaces'))

/** Names of fields, `id` or `id.replaces`, by which rows are matched with items. */
const match = z.pipe(
  z.pipe(
    z.string(),
    z.transform((names) => names.split(',')),
  ),
  z.array(z.string()).check(
    z.maxLength(limits.fields),
    z.refine((names) => new Set(names).size === names.length, 'names a field twice'),
    z.refine(
      (names) => names.length === 1 || !names.some((name) => idMatches.includes(name)),
      'takes id or id.replaces alone, or fields without these',
    ),
  ),
)

/** How many seconds a call waits for an import to end; its state then says how far it is. */
const wait = digits(0, 60)

const fieldByColumn = z.record(z.string(), z.nullable(z.string()))
const columnsText = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const parsed = fieldByColumn.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    const message = 'must be JSON of the field, or null to leave it out, by the name of a column'
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  }),
)

export const importQuery = z
  .strictObject({
    format: z.enum(importFormats),
    mode: z._default(z.enum(importModes), 'all'),
    key: z.optional(importKey),
    /** Field by the name of a column; null leaves a column out. Others keep their names. */
    columns: z.optional(columnsText),
    /** Whether cells that could be formulas have a `'` before them, as exports for spreadsheets have. */
    guard: z._default(flag, false),
    /** Delimiter of CSV and TSV, and the quote around cells that hold it, or `none`. */
    delimiter: z.optional(punctuation),
    quote: z.optional(z.union([z.literal('none'), punctuation])),
    /** Escape character of CSV and TSV: makes a quote, a line end, itself or an unquoted delimiter after it text. */
    escape: z.optional(punctuation),
    /** Text of a cell of CSV and TSV, without quotes, or of a workbook, that has no value. */
    null: z.optional(z.string().check(z.minLength(1), z.maxLength(40))),
    /** `none` where the first row of CSV, TSV or a sheet has no names. */
    header: z.optional(z.literal('none')),
    /** Encoding of the text of a file of rows, UTF-8 where it is left out. */
    encoding: z.optional(encoding),
    /** With what lines of CSV and TSV begin that are no rows. */
    comment: z.optional(commentPrefix),
    /** Lines of CSV and TSV before that of names, or rows of a sheet. */
    skip: z.optional(digits(0, 1000)),
    /** Sheet of a workbook, the first that is not hidden where it is left out. */
    sheet: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    /** Fields by which a row is matched with the item that it replaces where they differ, `id` or `id.replaces`. */
    match: z.optional(match),
    /** Reason for which items are replaced, unless their rows say why; goes with `match`. */
    reason: z.optional(reason),
    /** Whether the import waits, once it is checked, until it is confirmed. */
    confirm: z._default(flag, false),
    /** Whether the body is all of the file; otherwise the rest is appended. */
    complete: z._default(flag, true),
    wait: z._default(wait, 60),
  })
  .check(
    z.refine(({ delimiter, quote, escape }) => {
      const characters = [delimiter, quote, escape === quote ? undefined : escape]
      const present = characters.filter((each) => each !== undefined)
      return new Set(present).size === present.length
    }, 'delimiter, quote and escape must differ'),
    z.refine(
      ({ match, reason }) => (match === undefined) === (reason === undefined),
      'match and reason go together',
    ),
    z.refine(
      ({ match, mode }) => match === undefined || mode === 'all',
      'with match either all rows are imported or none is',
    ),
  )

export const importAppendQuery = z.strictObject({
  /** Offset of the body in the file, in bytes: what the server has received so far. */
  offset: digits(0, Number.MAX_SAFE_INTEGER),
  complete: z._default(flag, false),
  wait: z._default(wait, 0),
})

export const importGetQuery = z.strictObject({ wait: z._default(wait, 0) })

/** Media types of the report by its format. */
export const reportMediaTypes = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const

export const importReportQuery = z.strictObject({
  format: z._default(z.enum(['ndjson', 'csv']), 'ndjson'),
})

export const importConfirmQuery = z.strictObject({
  /** The `outcome` of the state that is confirmed: another one that came of a later check is not. */
  outcome: sha256Hex,
  wait: z._default(wait, 0),
})

/**
 * An import begins by `receiving` bytes; once they are complete it is `checking` rows, and when that
 * came out well it is `publishing` items, which stay hidden until all of them are there. One that is to be
 * confirmed is `checked` in between.
 */
export const importStates = [
  'receiving',
  'checking',
  'checked',
  'publishing',
  'done',
  'failed',
  'cancelled',
] as const

export const importState = z.object({
  key: z.string(),
  state: z.enum(importStates),
  format: z.enum(importFormats),
  mode: z.enum(importModes),
  createdAt: z.string(),
  /** Bytes of the file that are kept: an upload that was interrupted goes on here. */
  receivedBytes: z.number(),
  /** Bytes of the file whose rows were checked. */
  checkedBytes: z.number(),
  /** Rows checked so far, with those that were refused. */
  rows: z.number(),
  refusedRows: z.number(),
  /** Rows that replace an item, and rows that have the values of theirs and do nothing, where rows are matched. */
  changedRows: z.optional(z.number()),
  unchangedRows: z.optional(z.number()),
  /** Digest of what a check has come to, to confirm that very thing. */
  outcome: z.optional(z.string()),
  /** Items written so far, of the rows that are to become some. */
  publishedRows: z.number(),
  /**
   * The items of an import that is done: their positions `from` to `to`, `to` left out, and the first
   * one's id, from which on they are counted. An export of these positions gives their digests.
   */
  items: z.optional(z.object({ from: z.number(), to: z.number(), firstId: z.number() })),
  /** Sentences on what is easily overlooked in a workbook: other sheets, merged and hidden cells. */
  notes: z.optional(z.array(z.string())),
  /** Why it failed. */
  error: z.optional(errorBody),
})
export type ImportState = z.infer<typeof importState>

/** One line of the report of an import: why a row was refused. */
export const refusal = z.object({
  /** Counted from 1 among the rows of the file. */
  row: z.number(),
  /** The line of the file that the row begins on, where it has lines. */
  line: z.nullable(z.number()),
  /** The field, where it is one that is wrong. */
  field: z.nullable(z.string()),
  reason: z.string(),
  /** The beginning of the value that is wrong, where there is one. */
  value: z.optional(z.nullable(z.string())),
})
export type Refusal = z.infer<typeof refusal>

/** An item that a checked import is to add: the values that differ from those of the item that it replaces. */
export const importedItem = z.object({
  /** Id of the item that is replaced; null of an item that is new. */
  replaces: z.nullable(z.number()),
  /** Whether that item is withdrawn. */
  withdraws: z.optional(z.literal(true)),
  /** Values of fields that differ, before and after; left out where there is none. Of binaries the sha256. */
  values: z.record(
    z.string(),
    z.object({ before: z.optional(itemValue), after: z.optional(itemValue) }),
  ),
})
export type ImportedItem = z.infer<typeof importedItem>

/** Returns how many rows of an import become items. */
export function importedRows({ rows, refusedRows, unchangedRows = 0 }: ImportState): number {
  return rows - refusedRows - unchangedRows
}
