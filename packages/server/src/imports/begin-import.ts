import { randomUUID } from 'node:crypto'
import { personOf, type Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { findImport, insertImport, type ImportRow } from '../store/imports.ts'
import { requireColumns, writeOptions, type ImportOptions } from './import-options.ts'
import { notePerson } from '../store/people.ts'
import type { ImportContext } from './import-context.ts'
import { requireRepoNamed } from './require-import.ts'

const endedBadly: readonly ImportRow['state'][] = ['failed', 'cancelled']

/**
 * Begins an import, or finds the same person's of the same key that is under way or done. One that failed
 * or was cancelled begins anew.
 * @throws Failure REPO_NOT_FOUND, FIELD_NOT_IN_SCHEMA, IMPORT_KEY_TAKEN, STORAGE_FULL
 */
export async function beginImport(
  { store, blobs }: ImportContext,
  { repoName, key = randomUUID() }: { repoName: string; key: string | undefined },
  options: ImportOptions,
  identity: Identity,
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
      return { row: existing, isNew: false }
    }
    await notePerson(transaction, person)
    const row = await insertImport(transaction, { ...own, options: written })
    return { row, isNew: true }
  })
}

/** About what an import takes in the database and its log, its rows aside. */
const importBytes = 16 * 1024
