import type { EveryoneRole, TokenScope } from '@vitrine/contract'
import type { Generated } from 'kysely'
import type { ImportBlobsTable, ImportRefusalsTable, ImportsTable } from './import-tables.ts'
import type {
  AccountsTable,
  ProviderKeysTable,
  ProviderStateTable,
  SignInAttemptsTable,
} from './provider-tables.ts'

/** Moments are milliseconds since 1970 UTC; digests are lowercase hex; definitions are JSON text. */
export interface DatasetsTable {
  id: Generated<number>
  name: string
  kind: 'repo' | 'view'
  /** The canonical description: of a repository, as it was last extended. */
  definition: string
  /** The schema as a JSON list of fields; of a view, the inferred one. */
  schema: string
  /** A view's base. */
  base_id: number | null
  created_at: number
  /** `issuer subject` of the person who created it. */
  created_by: string
  /** The next position, and so the count of committed items. */
  next_position: Generated<number>
  next_item_id: Generated<number>
  /** The import that is writing items beyond the next position, where they are not visible. */
  publishing_import: Generated<number | null>
  /** Goes up when a repository that the dataset depends on is extended. */
  revision: Generated<number>
  /** Goes up when the sort keys of a view are written otherwise, so that it is put in order again. */
  order_revision: Generated<number>
  /** Goes up when a role on the dataset is given or taken back. */
  access_revision: Generated<number>
  /** Ten random hexadecimal digits, by which the log of a repository is told from that of an earlier one of its name. */
  generation: string
  /** Secret of which the nonces of a repository's log entries are made, as hexadecimal digits. */
  nonce_key: string
  /** The position from which on entries have a nonce. */
  nonces_from: Generated<number>
  /** The size of the last checkpoint of the repository's log that the audit log has. */
  recorded_size: Generated<number>
}

/** References of datasets to others, by a reference field or as the base of a view. */
interface DatasetReferencesTable {
  dataset_id: number
  target_id: number
}

/**
 * Datasets that were deleted and can be taken back, with the columns that they had; a repository's items, log and
 * references to blobs stay where they are.
 */
export interface DeletedDatasetsTable extends Omit<DatasetsTable, 'id' | 'publishing_import'> {
  id: number
  /** JSON: the ids of what it referred to, by the names of then. */
  targets: string
  deleted_at: number
  /** `issuer subject` of the person who deleted it. */
  deleted_by: string
}

/** Listings: the items of a view or an exploration, and their order; `listing-tables.ts` says how. */
export interface ListingsTable {
  id: Generated<number>
  /** The view, or the dataset that is explored. */
  dataset_id: number
  /** The digest of what is asked of the dataset; '' of a view, which asks for itself. */
  exploration: Generated<string>
  /** When somebody last asked, to the minute; 0 of a view. */
  used_at: Generated<number>
  /** Kind of its tables. */
  kind: 'members' | 'order'
  /** `building` until it can be read, `dropped` from then on until its tables are gone. */
  state: 'building' | 'current' | 'dropped'
  /** Positions of the repository that were looked at. */
  scanned: Generated<number>
  /** Items found. */
  count: Generated<number>
  /** Goes up with each change of a listing that is in order. */
  version: Generated<number>
  /** JSON: the state of its base that an excerpt was made of. */
  basis: string | null
}

/**
 * A listing in order, cut into blocks of a few hundred keys, so that the item at a rank is found by
 * adding up counts. The first block of a listing begins with the empty key.
 */
export interface ListingBlocksTable {
  listing_id: number
  first_key: Uint8Array
  count: number
}

/** Summaries of the values of a dataset, or of an exploration of it, as far as its items were scanned. */
export interface SummariesTable {
  dataset_id: number
  /** Exploration, as in a listing. */
  exploration: string
  /** The listing that says which items there are; null where all of a repository are read. */
  listing_id: number | null
  /** Identity of its source: it can be resumed as long as that is the same. */
  basis: string
  /** JSON: the version of `state`, then names and types of the fields. */
  fields: string
  /** Position of the first item that it does not cover yet. */
  scanned: number
  /** Items that it covers. */
  items: number
  /** JSON: what is answered. */
  summary: string
  kept_at: number
  /** State to resume from. */
  state: Uint8Array
}

/**
 * Filters of the texts in the items of a repository (`search-index/segment-filter.ts`), of each segment in parts. They
 * are kept of whole segments alone, from the first one on.
 */
export interface SearchSlicesTable {
  dataset_id: number
  segment: number
  part: number
  slices: Uint8Array
}

/** Whoever has made or added something, told apart by `issuer subject`. */
interface PeopleTable {
  id: Generated<number>
  key: string
  /** Display name at the last sign-in; null where the provider has none. */
  name: string | null
  /** JSON: groups at the last sign-in, in their order; null where the provider says nothing of groups. */
  groups: string | null
  /** When the token was issued that says so, in seconds since 1970. */
  groups_at: number | null
}

/**
 * Hashes in the logs of repositories, of complete subtrees of 256 entries at level 1, of 256 of those at level 2, and
 * so on; hashes of entries are with their items. They are there up to some entry without a gap.
 */
interface LogNodesTable {
  dataset_id: number
  level: number
  number: number
  hash: Uint8Array
}

/** Audit log of the installation; its columns are for searches, and the text is what was hashed. */
interface AuditLogTable {
  /** From 1 without gaps. */
  number: number
  at: number
  what: string
  /** Person who acted, with the name of then. */
  subject: string | null
  name: string | null
  dataset_id: number | null
  /** The name of then. */
  dataset: string | null
  /** JSON by RFC 8785. */
  entry: string
  hash: string
}

/** One row: the last entry of the audit log. Whoever adds another one holds it. */
interface AuditHeadTable {
  number: number
  at: number
  hash: string
  /** Ten random hexadecimal digits, by which the log is told from another that was begun in its place. */
  generation: string
  /** The moment from which on checkpoints of repositories are due to be recorded an hour later. */
  recorded_at: number
}

/** Open inserts. A committed one has no row here: its item has one. */
interface InsertsTable {
  dataset_id: number
  item_id: number
  created_by: string
  expires_at: number
  /** Item that it corrects, and why; null of one that corrects none. */
  replaces_id: Generated<number | null>
  reason: Generated<string | null>
}

/** Values uploaded to open inserts. A binary value's row is also the lease of its blob. */
export interface InsertValuesTable {
  dataset_id: number
  item_id: number
  field: string
  text: string | null
  reference: number | null
  sha256: string
  size: number
  mime: string | null
}

/** Items that replace others of their repository. */
interface CorrectionsTable {
  dataset_id: number
  replaces_id: number
  item_id: number
  /** Its first version, which replaces none. */
  first_id: number
  /** Position of the item that replaces the other. */
  position: number
  /** 1 where the other one is replaced by nothing, and the item repeats its values. */
  withdraws: number
  reason: string
}

/** Items that do not hold any more: those that another one replaces, and those that withdraw another. */
interface SupersededTable {
  dataset_id: number
  position: number
  /** Position of the item by which that is so: it holds in states of at most so many items. */
  since: number
}

/** Items that were added in one request under a key, for as long as the request may come again. */
interface AddedItemsTable {
  /** The sha256 of repository, person and key. */
  key: Uint8Array
  item_id: number
  added_at: number
}

interface BlobsTable {
  sha256: string
  size: number
  created_at: number
  /** `deleting` from the moment that collection has chosen it until its bytes are gone. */
  state: 'live' | 'deleting'
  /** 1 of what an import alone used, once it has ended: such bytes are copies, and need no trash. */
  is_transient: Generated<0 | 1>
}

/** One row, from the first start on. */
interface InstallationTable {
  number: number
  /** Random; the blob store has the same (docs/decisions/blobs.md). */
  id: string
  /** Whether the last checkpoints of logs are kept beside the blobs, and so are lost where they are not there. */
  keeps_checkpoints: Generated<0 | 1>
}

/** Bytes in the blob store that have no row in `blobs`. */
interface BlobSightingsTable {
  sha256: string
  size: number
  first_seen_at: number
  last_seen_at: number
  /** 1 once a person let their collection go on. */
  is_approved: number
}

/** Blobs in use whose bytes are not what they must be. */
interface BlobDamageTable {
  sha256: string
  /** The problem, as a sentence. */
  what: string
  first_seen_at: number
  last_seen_at: number
}

/** Values in items' rows that are not what was sealed. */
interface ValueDamageTable {
  dataset_id: number
  item_id: number
  field: string
  /** Digest under which the value was sealed. */
  sha256: string
  first_seen_at: number
  last_seen_at: number
}

/** One row: the round in which all blobs and all items' rows are read again. */
interface ScrubTable {
  number: number
  began_at: number
  /** The last digest that was read; empty at the beginning. */
  read_to: string
  /** The repository whose rows are being read, in the order of ids; 0 at the beginning. */
  rows_of: Generated<number>
  /** The position of its next row. */
  rows_from: Generated<number>
  /** The last dataset of which what is derived was compared; 0 at the beginning. */
  derived_to: Generated<number>
}

/** One row: how often collection has dropped blobs whose bytes it had removed. */
interface BlobRemovalsTable {
  count: number
}

/** Blobs that committed items hold. */
interface BlobReferencesTable {
  sha256: string
  dataset_id: number
  item_id: number
}

/** A dataset at a state as files, which are made when somebody asks for them. */
export interface SnapshotsTable {
  id: Generated<number>
  dataset_id: number
  /** How many items the repository had. */
  at: number
  /** That of the dataset: its fields are others once it has another. */
  revision: number
  /** Version of the format of the files. */
  version: number
  /** When it was last read, to the minute. */
  used_at: number
}

/** A file of a snapshot; the row is the lease of its blob. */
interface SnapshotPartsTable {
  snapshot_id: number
  /** From 0. */
  number: number
  sha256: string
  size: number
  rows: number
}

/** Personal access tokens and signed links, and whose they are. */
export interface TokensTable {
  id: Generated<number>
  /** Hash of the text of the token, which is not stored. */
  sha256: string
  issuer: string
  subject: string
  name: string
  /** User name when the token was made (`preferred_username`), where the provider has one. */
  username: string | null
  scope: TokenScope
  /** JSON of the datasets that it is for (`TokenDataset[]`); null of all. */
  datasets: string | null
  /** The dataset that it is a signed link to; null of a token. */
  link_of: Generated<number | null>
  /** The one state that a signed link shows; null of the dataset as it is then. */
  state_at: Generated<number | null>
  created_at: number
  /** Null of one that does not expire. */
  expires_at: number | null
  /** When it was last used, to about a minute. */
  used_at: Generated<number | null>
}

/** A role that was given on one dataset, which may be a deleted one that rests. */
interface GrantsTable {
  id: Generated<number>
  dataset_id: number
  kind: 'person' | 'group' | 'everyone'
  /** `issuer subject` of a person, name of a group, '' of everybody. */
  principal: string
  /** `none` for everybody alone. */
  role: EveryoneRole
  /** `issuer subject` of the person who gave it. */
  granted_by: string
  granted_at: number
}

/** Tasks that one process does at a time, with that process; and one row that only serves as a lock. */
interface LeasesTable {
  name: string
  holder: string
  expires_at: number
}

/** Origins of runs of items that were imported from bundles, as declared by the import. */
interface ItemOriginsTable {
  dataset_id: number
  /** Position of the first of them. */
  position: number
  items: number
  /** The signed note of the log that had them. */
  checkpoint: string
  /** The verifier key that it is signed by. */
  key: string
  /** Their entries in that log, each after its length in 16 bits. */
  entries: Uint8Array
}

export interface Tables {
  leases: LeasesTable
  datasets: DatasetsTable
  dataset_references: DatasetReferencesTable
  deleted_datasets: DeletedDatasetsTable
  /** Repositories removed for good whose items are still being removed in the background. */
  dropped_repos: { dataset_id: number }
  listings: ListingsTable
  listing_blocks: ListingBlocksTable
  summaries: SummariesTable
  search_slices: SearchSlicesTable
  people: PeopleTable
  log_nodes: LogNodesTable
  item_origins: ItemOriginsTable
  audit_log: AuditLogTable
  grants: GrantsTable
  audit_head: AuditHeadTable
  inserts: InsertsTable
  insert_values: InsertValuesTable
  corrections: CorrectionsTable
  superseded: SupersededTable
  added_items: AddedItemsTable
  blobs: BlobsTable
  blob_damage: BlobDamageTable
  value_damage: ValueDamageTable
  blob_removals: BlobRemovalsTable
  blob_sightings: BlobSightingsTable
  installation: InstallationTable
  scrub: ScrubTable
  blob_references: BlobReferencesTable
  imports: ImportsTable
  import_blobs: ImportBlobsTable
  import_refusals: ImportRefusalsTable
  snapshots: SnapshotsTable
  snapshot_parts: SnapshotPartsTable
  accounts: AccountsTable
  provider_state: ProviderStateTable
  provider_keys: ProviderKeysTable
  sign_in_attempts: SignInAttemptsTable
  tokens: TokensTable
}
