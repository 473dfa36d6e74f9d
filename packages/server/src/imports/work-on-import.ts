// Runs on the main thread.

import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '@vitrine/contract'
import { fail, Failure, storageFailure } from '../failure.ts'
import { Backoff } from '../runtime/backoff.ts'
import { findDatasetById, lockDatasetById } from '../store/datasets.ts'
import {
  type ImportRow,
  findImportById,
  isUnfinished,
  lockImport,
  updateImport,
} from '../store/imports.ts'
import { type Lease, LeaseLost } from '../store/leases.ts'
import { checkImport } from './check-import.ts'
import type { ImportContext } from './import-context.ts'
import { holdUnlessConfirmed, publishImport } from './publish-import.ts'
import { dropImportBlobs } from '../store/import-blobs.ts'
import { endPublishing, recordPublishedRows, removeUnpublished } from '../store/import-items.ts'
import type { Store } from '../store/store.ts'

/** After an import could not even be ended, as when a disk is full. */
const retryMs = { firstMs: 2000, maxMs: 60_000 }
/** How often it is looked whether another process has decided that an import is cancelled. */
const lookMs = 500

/** The name of the lease for work on an import. */
export const importLease = (id: number) => `import ${id}`

type Work = {
  id: number
  /** Aborted once it is decided that the import is cancelled. */
  cancelling: AbortController
  /** Leaves the import as it is, to be gone on with. */
  stopping: AbortSignal
  /** Called when the import is left for a later try, with the reason. */
  onLeft: (error: unknown) => void
  onError: (error: unknown) => void
}

/**
 * Works on an import until it ends, unless another process does. What will pass by itself, such as a
 * database that cannot be reached, leaves it as it is, for whoever takes it up next.
 */
export async function workOnImport(context: ImportContext, work: Work): Promise<void> {
  const { id, cancelling, stopping, onLeft } = work
  const { store } = context
  const signal = AbortSignal.any([cancelling.signal, stopping])
  await store.exclusively(importLease(id), async (lease) => {
    const look = async () => {
      const row = await findImportById(store.reads, id)
      if (row !== undefined && row.ends_as !== null) cancelling.abort()
    }
    // Where looking fails, the transaction that would publish still looks.
    const looking = setInterval(() => void look().catch(() => {}), lookMs)
    const check = () => {
      signal.throwIfAborted()
      lease.check()
    }
    try {
      await checkAndPublish(context, id, { check })
    } catch (error) {
      if (willPass(error)) onLeft(error)
      else await end(context, work, { error, lease })
    } finally {
      clearInterval(looking)
    }
  })
}

async function checkAndPublish(context: ImportContext, id: number, lease: Lease): Promise<void> {
  lease.check()
  const { reads } = context.store
  const row = (await findImportById(reads, id))!
  // Another process may have ended it meanwhile.
  if (!isUnfinished(row)) return
  const repo = await findDatasetById(reads, row.dataset_id)
  if (repo === undefined) throw fail('REPO_NOT_FOUND')
  const { id: datasetId } = repo
  if (row.state === 'checking') {
    await checkImport(context, { row, repo, lease })
    if (await holdUnlessConfirmed(context.store, { id, datasetId })) return
  }
  await publishImport(context, { id, datasetId, lease })
}

async function end(
  context: ImportContext,
  { id, stopping, onError }: Work,
  { error, lease }: { error: unknown; lease: Lease },
): Promise<void> {
  const { store } = context
  const backoff = new Backoff<'end'>(retryMs)
  while (!stopping.aborted) {
    try {
      lease.check()
      const { failure, body } = await toEnding(context, id, error)
      // Not where it was cut short because its end is decided.
      const isDecided = await decideToFail(store, id, body)
      if (isDecided && failure.code === 'INTERNAL') onError(error)
      return await endImport(store, id, lease)
    } catch (endError) {
      // The holder of the lease goes on.
      if (endError instanceof LeaseLost) return
      onError(endError)
      await sleep(backoff.failed('end'), undefined, { signal: stopping }).catch(() => {})
    }
  }
}

const willPass = (error: unknown) => errors[toFailure(error).code].status === 503

/** The error reply of an import that failed. */
async function toEnding(
  { store }: ImportContext,
  id: number,
  error: unknown,
): Promise<{ failure: Failure; body: string }> {
  const row = (await findImportById(store.reads, id))!
  const isThere = (await findDatasetById(store.reads, row.dataset_id)) !== undefined
  const failure = isThere ? toFailure(error) : fail('REPO_NOT_FOUND')
  const { code, message, details } = failure
  const body = JSON.stringify({ code, message, details: { ...details, importKey: row.key } })
  return { failure, body }
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return storageFailure(error) ?? new Failure('INTERNAL', { cause: error })
}

/**
 * Lets a checked import be published, unless its check has come to another outcome; the same again changes nothing.
 * @throws Failure IMPORT_NOT_CHECKED
 */
export async function confirmImport(store: Store, id: number, outcome: string): Promise<void> {
  await store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state === 'checked') {
      if (row.outcome !== outcome) return
      await updateImport(transaction, id, { state: 'publishing', confirmed: outcome })
    } else if (row?.confirmed !== outcome) throw fail('IMPORT_NOT_CHECKED')
  })
}

/** Items removed in one write. */
const removedAtOnce = 5000

/**
 * Decides that an import is cancelled: from then on nobody publishes it.
 * @returns whether its end is still to be brought about by `endImport`
 * @throws Failure IMPORT_DONE
 */
export async function decideToCancel(store: Store, id: number): Promise<boolean> {
  return store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state === 'done') throw fail('IMPORT_DONE')
    if (row?.state === 'receiving' || row?.state === 'checked') {
      await updateImport(transaction, id, { state: 'cancelled' })
      await dropImportBlobs(transaction, id)
      return false
    }
    if (row === undefined || !isUnfinished(row)) return false
    if (row.ends_as === null) await updateImport(transaction, id, { ends_as: 'cancelled' })
    return true
  })
}

/**
 * Decides that an import has failed, with the JSON of an error reply.
 * @returns false when it had been decided already how it ends
 */
async function decideToFail(store: Store, id: number, error: string): Promise<boolean> {
  return store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row === undefined || !isUnfinished(row) || row.ends_as !== null) return false
    await updateImport(transaction, id, { ends_as: 'failed', error })
    return true
  })
}

/**
 * Ends an import as was decided: removes what it has written, and gives up its turn in the same
 * transaction in which it ends.
 * @throws LeaseLost
 */
export async function endImport(store: Store, id: number, lease: Lease): Promise<void> {
  const row = await findImportById(store.reads, id)
  if (row === undefined || !isUnfinished(row) || row.ends_as === null) return
  await withdrawItems(store, row, lease)
  lease.check()
  await store.write(async (transaction) => {
    await lockDatasetById(transaction, row.dataset_id)
    const current = await lockImport(transaction, id)
    if (current === undefined || !isUnfinished(current) || current.ends_as === null) return
    await endPublishing(transaction, { datasetId: row.dataset_id, importId: id, rows: 0 })
    await updateImport(transaction, id, { state: current.ends_as })
    await dropImportBlobs(transaction, id)
  })
}

async function withdrawItems(store: Store, row: ImportRow, lease: Lease): Promise<void> {
  const { id, dataset_id: datasetId, first_position: first, published_rows: published } = row
  if (first === null || (await findDatasetById(store.reads, datasetId)) === undefined) return
  for (let to = first + published; to > first; to -= removedAtOnce) {
    lease.check()
    const from = Math.max(first, to - removedAtOnce)
    await store.writeInWorker({
      claim: recordPublishedRows({
        importId: id,
        datasetId,
        rows: from - first,
        step: 'withdrawing',
      }),
      statements: removeUnpublished({ id: datasetId }, { from, to }),
    })
  }
}
