import { type Kysely, sql } from 'kysely'
import { bytes, integer, numberedKey, strictByKey, text } from '../engine-sql.ts'
import { catalogue, snapshotRoom } from '../leases.ts'
import { peopleTables } from './001-people-tables.ts'

/** All tables of 0.1.0, but for those of each repository and listing (`items.ts`, `listing-tables.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    ...datasets,
    ...items,
    ...derived,
    ...imports,
    ...blobs,
    ...peopleTables,
  ]) {
    await statement.execute(db)
  }
}

const datasets = [
  // The id names the item table, so it must never be given twice.
  sql`
    create table datasets (
      id ${numberedKey},
      name ${text} not null unique,
      kind ${text} not null,
      definition ${text} not null,
      schema ${text} not null,
      base_id ${integer} references datasets (id),
      created_at ${integer} not null,
      created_by ${text} not null,
      next_position ${integer} not null default 0,
      next_item_id ${integer} not null default 1,
      publishing_import ${integer},
      revision ${integer} not null default 0,
      order_revision ${integer} not null default 0
    )`,
  sql`create index datasets_by_kind on datasets (kind, created_at, id)`,
  sql`create index datasets_by_created_at on datasets (created_at, id)`,
  sql`
    create table dataset_references (
      dataset_id ${integer} not null references datasets (id),
      target_id ${integer} not null references datasets (id),
      constraint dataset_references_key primary key (dataset_id, target_id)
    )`,
  sql`create index dataset_references_by_target on dataset_references (target_id, dataset_id)`,
  sql`
    create table deleted_datasets (
      id ${integer} primary key,
      name ${text} not null,
      kind ${text} not null,
      definition ${text} not null,
      schema ${text} not null,
      base_id ${integer},
      created_at ${integer} not null,
      created_by ${text} not null,
      next_position ${integer} not null,
      next_item_id ${integer} not null,
      revision ${integer} not null,
      order_revision ${integer} not null,
      targets ${text} not null,
      deleted_at ${integer} not null,
      deleted_by ${text} not null
    )`,
  sql`create table dropped_repos (dataset_id ${integer} primary key)`,
]

const items = [
  sql`
    create table inserts (
      dataset_id ${integer} not null references datasets (id),
      item_id ${integer} not null,
      created_by ${text} not null,
      expires_at ${integer} not null,
      constraint inserts_key primary key (dataset_id, item_id)
    )`,
  sql`create index inserts_by_expiry on inserts (expires_at)`,
  sql`
    create table insert_values (
      dataset_id ${integer} not null,
      item_id ${integer} not null,
      field ${text} not null,
      text ${text},
      reference ${integer},
      sha256 ${text} not null,
      size ${integer} not null,
      mime ${text},
      constraint insert_values_key primary key (dataset_id, item_id, field),
      constraint insert_values_insert foreign key (dataset_id, item_id)
        references inserts (dataset_id, item_id) on delete cascade
    )`,
  sql`create index insert_values_by_blob on insert_values (sha256) where mime is not null`,
  sql`
    create table added_items (
      key ${bytes} primary key,
      item_id ${integer} not null,
      added_at ${integer} not null
    )`,
  sql`create index added_items_by_moment on added_items (added_at)`,
  sql`
    create table item_origins (
      dataset_id ${integer} not null,
      position ${integer} not null,
      items ${integer} not null,
      checkpoint ${text} not null,
      key ${text} not null,
      entries ${bytes} not null,
      constraint item_origins_key primary key (dataset_id, position)
    )`,
  sql`
    create table log_nodes (
      dataset_id ${integer} not null,
      level ${integer} not null,
      number ${integer} not null,
      hash ${bytes} not null,
      constraint log_nodes_key primary key (dataset_id, level, number)
    )`,
  sql`
    create table value_damage (
      dataset_id ${integer} not null,
      item_id ${integer} not null,
      field ${text} not null,
      sha256 ${text} not null,
      first_seen_at ${integer} not null,
      last_seen_at ${integer} not null,
      constraint value_damage_key primary key (dataset_id, item_id, field)
    )`,
]

const derived = [
  // The id names the listing's tables, so it must never be given twice. Listings outlive their dataset until they are
  // removed.
  sql`
    create table listings (
      id ${numberedKey},
      dataset_id ${integer} not null,
      exploration ${text} not null default '',
      kind ${text} not null,
      state ${text} not null,
      scanned ${integer} not null default 0,
      count ${integer} not null default 0,
      version ${integer} not null default 0,
      used_at ${integer} not null default 0,
      basis ${text}
    )`,
  sql`
    create unique index listings_in_use on listings (dataset_id, exploration, state)
    where state <> 'dropped'`,
  sql`create index listings_to_remove on listings (id) where state = 'dropped'`,
  sql`create index listings_of_explorations on listings (used_at) where exploration <> ''`,
  sql`
    create table listing_blocks (
      listing_id ${integer} not null,
      first_key ${bytes} not null,
      count ${integer} not null,
      constraint listing_blocks_key primary key (listing_id, first_key)
    ) ${strictByKey}`,
  // The state last, as it is long and seldom read.
  sql`
    create table summaries (
      dataset_id ${integer} not null,
      exploration ${text} not null,
      listing_id ${integer},
      basis ${text} not null,
      fields ${text} not null,
      scanned ${integer} not null,
      items ${integer} not null,
      kept_at ${integer} not null,
      summary ${text} not null,
      state ${bytes} not null,
      constraint summaries_key primary key (dataset_id, exploration)
    )`,
  sql`
    create table search_slices (
      dataset_id ${integer} not null,
      segment ${integer} not null,
      part ${integer} not null,
      slices ${bytes} not null,
      constraint search_slices_key primary key (dataset_id, segment, part)
    )`,
  sql`
    create table snapshots (
      id ${numberedKey},
      dataset_id ${integer} not null,
      at ${integer} not null,
      revision ${integer} not null,
      version ${integer} not null,
      used_at ${integer} not null,
      constraint snapshots_by_state unique (dataset_id, at, revision, version)
    )`,
  sql`
    create table snapshot_parts (
      snapshot_id ${integer} not null,
      number ${integer} not null,
      sha256 ${text} not null,
      size ${integer} not null,
      rows ${integer} not null,
      constraint snapshot_parts_key primary key (snapshot_id, number)
    )`,
  sql`create index snapshot_parts_by_blob on snapshot_parts (sha256)`,
]

const imports = [
  // Imports outlive their repository until they are swept.
  sql`
    create table imports (
      id ${numberedKey},
      dataset_id ${integer} not null,
      key ${text} not null,
      state ${text} not null,
      options ${text} not null,
      created_at ${integer} not null,
      created_by ${text} not null,
      touched_at ${integer} not null,
      received_bytes ${integer} not null default 0,
      checked_bytes ${integer} not null default 0,
      rows ${integer} not null default 0,
      refused_rows ${integer} not null default 0,
      published_rows ${integer} not null default 0,
      first_position ${integer},
      first_item_id ${integer},
      items_created_at ${integer},
      ends_as ${text},
      error ${text},
      notes ${text}
    )`,
  sql`create index imports_by_key on imports (dataset_id, created_by, key, id)`,
  sql`
    create unique index imports_in_use on imports (dataset_id, created_by, key)
    where state not in ('failed', 'cancelled')`,
  sql`
    create table import_blobs (
      import_id ${integer} not null,
      kind ${text} not null,
      start ${integer} not null,
      name ${text},
      sha256 ${text} not null,
      size ${integer} not null,
      constraint import_blobs_key primary key (import_id, kind, start)
    )`,
  sql`create index import_blobs_by_blob on import_blobs (sha256)`,
  sql`create index import_blobs_by_name on import_blobs (import_id, name) where name is not null`,
  sql`
    create table import_refusals (
      import_id ${integer} not null,
      number ${integer} not null,
      row ${integer} not null,
      line ${integer},
      field ${text},
      reason ${text} not null,
      value ${text},
      constraint import_refusals_key primary key (import_id, number)
    )`,
]

const blobs = [
  sql`
    create table blobs (
      sha256 ${text} primary key,
      size ${integer} not null,
      created_at ${integer} not null,
      state ${text} not null,
      is_transient ${integer} not null default 0
    )`,
  sql`create index blobs_to_remove on blobs (sha256) where state = 'deleting'`,
  sql`
    create table blob_references (
      sha256 ${text} not null references blobs (sha256),
      dataset_id ${integer} not null,
      item_id ${integer} not null,
      constraint blob_references_key primary key (dataset_id, item_id, sha256)
    )`,
  sql`create index blob_references_by_blob on blob_references (sha256)`,
  sql`
    create table blob_damage (
      sha256 ${text} primary key,
      what ${text} not null,
      first_seen_at ${integer} not null,
      last_seen_at ${integer} not null
    )`,
  sql`
    create table blob_sightings (
      sha256 ${text} primary key,
      size ${integer} not null,
      first_seen_at ${integer} not null,
      last_seen_at ${integer} not null,
      is_approved ${integer} not null
    )`,
  sql`create index blob_sightings_by_moment on blob_sightings (first_seen_at)`,
  sql`create table blob_removals (count ${integer} not null)`,
  sql`insert into blob_removals (count) values (0)`,
  // One row at most, as of the installation.
  sql`
    create table scrub (
      number ${integer} primary key,
      began_at ${integer} not null,
      read_to ${text} not null,
      rows_of ${integer} not null default 0,
      rows_from ${integer} not null default 0,
      derived_to ${integer} not null default 0
    )`,
  sql`create table installation (number ${integer} primary key, id ${text} not null)`,
  sql`
    create table leases (
      name ${text} primary key,
      holder ${text} not null,
      expires_at ${integer} not null
    )`,
  // Rows to lock before datasets, or snapshots, come and go.
  sql`
    insert into leases (name, holder, expires_at)
    values (${sql.lit(catalogue)}, '', 0), (${sql.lit(snapshotRoom)}, '', 0)`,
]
