import { exportFormats, isPart, type ExportFormat, type Exploration } from '@vitrine/contract'

type ExportKind = {
  label: string
  /** Its purpose, in a line. */
  about: string
  /** Whether cells could be taken for formulas. */
  guards?: true
  /** Whether digests stand beside values if asked for. */
  digests?: true
  /** Whether it is of whole datasets alone. */
  isWhole?: true
}

/** Formats in the order of the dialog. */
export const exportKinds: Record<ExportFormat, ExportKind> = {
  csv: {
    label: 'CSV',
    about: 'For spreadsheets and databases; a line of names first.',
    guards: true,
    digests: true,
  },
  tsv: {
    label: 'TSV',
    about: 'The same with tabs between cells.',
    guards: true,
    digests: true,
  },
  xlsx: {
    label: 'Workbook',
    about: 'For Excel and LibreOffice (.xlsx), with typed cells; up to 1,048,575 rows.',
    digests: true,
  },
  ndjson: {
    label: 'NDJSON',
    about: 'One JSON object a line, for programs.',
    digests: true,
  },
  parquet: {
    label: 'Parquet',
    about: 'Typed columns, for pandas, Polars, DuckDB and Spark.',
    digests: true,
  },
  arrow: {
    label: 'Arrow',
    about: 'The same uncompressed, to be mapped into memory: Polars, R, Julia and pandas.',
    digests: true,
  },
  zip: {
    label: 'Zip archive',
    about: 'Rows with the files of binary fields, the description and a manifest of digests.',
    digests: true,
  },
  croissant: {
    label: 'Croissant',
    about: 'JSON-LD that tells machine learning tools what is here and where to load it from.',
  },
  bundle: {
    label: 'Bundle',
    about:
      'All of it with what it refers to and proofs, to be verified anywhere and moved to another server.',
    isWhole: true,
  },
}

export const offeredFormats = Object.keys(exportKinds) as ExportFormat[]

/** A file's name for an export; names of other servers' datasets may have any character. */
export function exportFileName(
  datasetId: string,
  exploration: Exploration,
  format: ExportFormat,
): string {
  const part = isPart(exploration) ? '-part' : ''
  return `${datasetId.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}${part}.${exportFormats[format].ending}`
}
