import * as z from 'zod/mini'
import { atState } from './dataset-state.ts'
import { exploration } from '../view/exploration.ts'
import { digits, flag } from './query-text.ts'
import type { Feature } from './runtime.ts'

type ExportFormatDefinition = {
  /** https://www.iana.org/assignments/media-types, and what is usual where nothing is registered. */
  mediaType: string
  /** Ends the name of a file. */
  ending: string
  /** Feature of a server that writes it; the others are written by all that export. */
  feature?: Feature
}

const formats = {
  ndjson: { mediaType: 'application/x-ndjson; charset=utf-8', ending: 'ndjson' },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', ending: 'csv' },
  tsv: { mediaType: 'text/tab-separated-values; charset=utf-8', ending: 'tsv' },
  parquet: { mediaType: 'application/vnd.apache.parquet', ending: 'parquet' },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.file',
    ending: 'arrow',
    feature: 'export-arrow',
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ending: 'xlsx',
    feature: 'export-xlsx',
  },
  zip: { mediaType: 'application/zip', ending: 'zip' },
  croissant: { mediaType: 'application/ld+json', ending: 'croissant.json' },
  bundle: { mediaType: 'application/zip', ending: 'bundle.zip', feature: 'bundles' },
} as const satisfies Record<string, ExportFormatDefinition>
export type ExportFormat = keyof typeof formats
export const exportFormats: Record<ExportFormat, ExportFormatDefinition> = formats
export const exportFormatNames = Object.keys(formats) as ExportFormat[]

const position = digits(0, Number.MAX_SAFE_INTEGER)

/** Range and format of an export of a dataset, or of what is asked of it. */
export const exportQuery = z.strictObject({
  format: z.enum(exportFormatNames),
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
