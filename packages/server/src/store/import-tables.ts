import type { Generated } from 'kysely'

/** Imports of files of rows; what they received and made of it are blobs. */
export interface ImportsTable {
  id: Generated<number>
  dataset_id: number
  key: string
  state: 'receiving' | 'checking' | 'checked' | 'publishing' | 'done' | 'failed' | 'cancelled'
  /** JSON of `ImportOptions`. */
  options: string
  created_at: number
  /** `issuer subject` of the person who began it. */
  created_by: string
  /** 1 where they read all datasets then: an administrator by username is one by their token alone. */
  reads_all: Generated<0 | 1>
  /** JSON: ids of the datasets that the token was for that it was begun with; null of all. */
  token_datasets: string | null
  /** When it last got on. */
  touched_at: number
  received_bytes: Generated<number>
  checked_bytes: Generated<number>
  rows: Generated<number>
  refused_rows: Generated<number>
  /** Rows that replace an item, and rows that have the values of theirs and become none. */
  changed_rows: Generated<number>
  unchanged_rows: Generated<number>
  published_rows: Generated<number>
  /** Items of the repository whose state rows were matched with; null of imports that match none. */
  matched_at: number | null
  /** Digest of what a check has come to, from its end on. */
  outcome: string | null
  /** That outcome which was confirmed. */
  confirmed: string | null
  /** Position of its first item, from the moment that it publishes them. */
  first_position: number | null
  first_item_id: number | null
  /** The moment that its items are given. */
  items_created_at: number | null
  /** The state in which it will end, decided before its rows are removed. */
  ends_as: 'failed' | 'cancelled' | null
  /** JSON of the error reply that it fails with. */
  error: string | null
  /** JSON of sentences about its file. */
  notes: string | null
}

/**
 * Blobs that an import leases, a row each: parts of the file that was `sent`, parts of the `rows` of an archive,
 * `files` of an archive with their names, values `held` by their digests, and `checked` rows. A part begins at the
 * byte, checked rows at the row `start`.
 */
export interface ImportBlobsTable {
  import_id: number
  kind: 'sent' | 'tar' | 'workbook' | 'rows' | 'file' | 'held' | 'checked'
  start: number
  name: string | null
  sha256: string
  size: number
}

/** Why rows of an import were refused. */
export interface ImportRefusalsTable {
  import_id: number
  number: number
  row: number
  line: number | null
  field: string | null
  reason: string
  /** The beginning of the value. */
  value: string | null
}
