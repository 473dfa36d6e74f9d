import { isPart, type ExportFormat, type Exploration, type Feature } from '@vitrine/contract'

export type ExportKind = {
  format: ExportFormat
  label: string
  /** Its purpose, in a line. */
  about: string
  /** The end of a file's name. */
  ending: string
  /** Whether cells could be taken for formulas. */
  guards?: true
  /** Whether digests stand beside values if asked for. */
  digests?: true
  /** Feature of a server that writes it; left out, all do that export. */
  feature?: Feature
  /** Whether it is of whole datasets alone. */
  isWhole?: true
}

export const exportKinds: readonly ExportKind[] = [
  {
    format: 'csv',
    label: 'CSV',
    about: 'For spreadsheets and databases; a line of names first.',
    ending: 'csv',
    guards: true,
    digests: true,
  },
  {
    format: 'tsv',
    label: 'TSV',
    about: 'The same with tabs between cells.',
    ending: 'tsv',
    guards: true,
    digests: true,
  },
  {
    format: 'xlsx',
    label: 'Workbook',
    about: 'For Excel and LibreOffice (.xlsx), with typed cells; up to 1,048,575 rows.',
    ending: 'xlsx',
    digests: true,
    feature: 'export-xlsx',
  },
  {
    format: 'ndjson',
    label: 'NDJSON',
    about: 'One JSON object a line, for programs.',
    ending: 'ndjson',
    digests: true,
  },
  {
    format: 'parquet',
    label: 'Parquet',
    about: 'Typed columns, for pandas, Polars, DuckDB and Spark.',
    ending: 'parquet',
    digests: true,
  },
  {
    format: 'zip',
    label: 'Zip archive',
    about: 'Rows with the files of binary fields, the description and a manifest of digests.',
    ending: 'zip',
    digests: true,
  },
  {
    format: 'croissant',
    label: 'Croissant',
    about: 'JSON-LD that tells machine learning tools what is here and where to load it from.',
    ending: 'croissant.json',
  },
  {
    format: 'bundle',
    label: 'Bundle',
    about:
      'All of it with what it refers to and proofs, to be verified anywhere and moved to another server.',
    ending: 'bundle.zip',
    feature: 'bundles',
    isWhole: true,
  },
]

/** A file's name for an export; names of other servers' datasets may have any character. */
export function exportFileName(
  datasetId: string,
  exploration: Exploration,
  ending: string,
): string {
  const part = isPart(exploration) ? '-part' : ''
  return `${datasetId.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}${part}.${ending}`
}
