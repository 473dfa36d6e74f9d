import * as z from 'zod/mini'
import { atState } from './dataset-state.ts'
import { exploration } from '../view/exploration.ts'
import { digits, flag } from './query-text.ts'

export const exportFormats = [
  'ndjson',
  'csv',
  'tsv',
  'parquet',
  'xlsx',
  'zip',
  'croissant',
  'bundle',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** https://www.iana.org/assignments/media-types, and what is usual where nothing is registered. */
export const exportMediaTypes: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  tsv: 'text/tab-separated-values; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  croissant: 'application/ld+json',
  bundle: 'application/zip',
}

const position = digits(0, Number.MAX_SAFE_INTEGER)

/** Range and format of an export of a dataset, or of what is asked of it. */
export const exportQuery = z.strictObject({
  format: z.enum(exportFormats),
  ...exploration.shape,
  ...atState.shape,
  /** Counted from 0 in the order of the dataset, or in that which is asked for: the first item, and the one after the last. */
  from: z._default(position, 0),
  to: z.optional(position),
  /** Whether the sha256 of every value stands beside it. */
  integrity: z._default(flag, false),
  /** Whether CSV and TSV are for spreadsheets: with a byte order mark, and a `'` before cells that could be formulas. */
  guard: z._default(flag, false),
})

/**
 * Header of an export: `120000-3000000/3000000` for the positions that it holds, the last left out, of
 * so many items that the dataset had when it began.
 */
export const exportedHeader = 'vitrine-exported'

/** Header of an export: how many items the repository had; with as many for `at` it is exported again as it was. */
export const stateHeader = 'vitrine-state'
