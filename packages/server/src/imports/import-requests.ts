// Runs on the main thread.

import { randomUUID } from 'node:crypto'
import type { ImportState, Refusal } from '@vitrine/contract'
import { writeRecord } from '@vitrine/rows/text/delimited-record'
import { type Author, type Identity, identityKey, personOf } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { type ImportRow, countItems, findImport, insertImport } from '../store/imports.ts'
import { type ImportOptions, readOptions, requireColumns, writeOptions } from './import-options.ts'
import { recordPerson } from '../store/people.ts'
import type { ImportContext } from './import-context.ts'
import { type Dataset, findDataset } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'
import { readRefusals } from '../store/import-refusals.ts'

const endedBadly: readonly ImportRow['state'][] = ['failed', 'cancelled']

/**
 * Begins an import, or finds the same person's of the same key that is under way or done. One that failed
 * or was cancelled begins anew.
 * @throws Failure REPO_NOT_FOUND, FIELD_NOT_IN_SCHEMA, IMPORT_KEY_TAKEN, TOKEN_LIMITED, STORAGE_FULL
 */
export async function beginImport(
  { store, blobs }: ImportContext,
  { repoName, key = randomUUID() }: { repoName: string; key: string | undefined },
  options: ImportOptions,
  { identity, visibility }: Author,
): Promise<{ row: ImportRow; isNew: boolean }> {
  await blobs.requireRoom(importBytes)
  return store.write(async (transaction) => {
    const repo = await requireRepoNamed(transaction, repoName)
    requireColumns(options, repo.schema)
    const written = writeOptions(options)
    const person = personOf(identity)
    const own = { datasetId: repo.id, createdBy: person.key, key }
    const existing = await findImport(transaction, own)
    if (existing !== undefined && !endedBadly.includes(existing.state)) {
      if (existing.options !== written) throw fail('IMPORT_KEY_TAKEN')
      requireSameToken(existing, identity)
      return { row: existing, isNew: false }
    }
    await recordPerson(transaction, person)
    const row = await insertImport(transaction, {
      ...own,
      options: written,
      readsAll: visibility === 'all',
      tokenDatasets: identity.datasets,
    })
    return { row, isNew: true }
  })
}

/**
 * Lets nobody add rows to an import that looks into more datasets than their token is for.
 * @throws Failure TOKEN_LIMITED
 */
export function requireSameToken(
  { token_datasets }: Pick<ImportRow, 'token_datasets'>,
  { datasets }: Identity,
): void {
  if (datasets !== undefined && token_datasets !== JSON.stringify(datasets)) {
    throw fail('TOKEN_LIMITED')
  }
}

/** About what an import takes in the database and its log, its rows aside. */
const importBytes = 16 * 1024

/** @throws Failure REPO_NOT_FOUND */
export async function requireRepoNamed(db: Db, name: string): Promise<Dataset> {
  const dataset = await findDataset(db, name)
  if (dataset?.kind !== 'repo') throw fail('REPO_NOT_FOUND')
  return dataset
}

/**
 * Finds an import of the person who asks.
 * @throws Failure IMPORT_NOT_FOUND, also for another person's
 */
export async function requireImport(
  db: Db,
  { repoName, key }: { repoName: string; key: string },
  identity: Identity,
): Promise<ImportRow> {
  const dataset = await findDataset(db, repoName)
  const row =
    dataset?.kind === 'repo'
      ? await findImport(db, { datasetId: dataset.id, createdBy: identityKey(identity), key })
      : undefined
  if (row === undefined) throw fail('IMPORT_NOT_FOUND')
  return row
}

/** Returns the state of an import as the API shows it. */
export function toImportState(row: ImportRow): ImportState {
  const { format, mode, match } = readOptions(row.options)
  const from = row.first_position
  const count = countItems(row)
  return {
    key: row.key,
    state: row.state,
    format,
    mode,
    createdAt: new Date(row.created_at).toISOString(),
    receivedBytes: row.received_bytes,
    checkedBytes: row.checked_bytes,
    rows: row.rows,
    refusedRows: row.refused_rows,
    ...(match !== undefined && {
      changedRows: row.changed_rows,
      unchangedRows: row.unchanged_rows,
    }),
    ...(row.state === 'checked' && { outcome: row.outcome! }),
    publishedRows: row.published_rows,
    ...(row.state === 'done' &&
      from !== null && { items: { from, to: from + count, firstId: row.first_item_id! } }),
    ...(row.notes !== null && { notes: JSON.parse(row.notes) }),
    ...(row.state === 'failed' && { error: JSON.parse(row.error!) }),
  }
}

const windowRows = 1000

/** The report of an import: a line for each thing that is wrong with a row. */
export async function* readReport(
  db: Db,
  importId: number,
  format: 'ndjson' | 'csv',
): AsyncGenerator<string> {
  if (format === 'csv') yield toCsv(['row', 'line', 'field', 'reason', 'value'])
  for (let from = 0; ; from += windowRows) {
    const refusals = await readRefusals(db, { importId, from, limit: windowRows })
    if (refusals.length > 0) yield refusals.map((refusal) => writers[format](refusal)).join('')
    if (refusals.length < windowRows) return
  }
}

const writers: Record<'ndjson' | 'csv', (refusal: Refusal) => string> = {
  ndjson: (refusal) => `${JSON.stringify(refusal)}\n`,
  csv: ({ row, line, field, reason, value = null }) => toCsv([row, line, field, reason, value]),
}

function toCsv(cells: (string | number | null)[]): string {
  return writeRecord(cells, { delimiter: ',', guard: true })
}
