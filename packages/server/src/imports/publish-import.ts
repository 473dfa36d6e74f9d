// Runs on the main thread.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Expression } from '../store/engine-sql.ts'
import { fail } from '../failure.ts'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import { writeAudit } from '../store/audit-log.ts'
import { lockDatasetById, type Dataset } from '../store/datasets.ts'
import { dropImportBlobs, listImportBlobs } from '../store/import-blobs.ts'
import {
  endPublishing,
  insertCheckedRows,
  recordPublishedRows,
  reserveItems,
  takeTurn,
} from '../store/import-items.ts'
import {
  countItems,
  isUnfinished,
  lockImport,
  updateImport,
  type ImportRow,
} from '../store/imports.ts'
import type { Lease } from '../store/leases.ts'
import { readHead } from '../store/listings.ts'
import { readOwnBlob } from '../blobs/read-blob.ts'
import { checkImport } from './check-import.ts'
import type { ImportContext } from './import-context.ts'
import { readOptions } from './import-options.ts'
import { unpackRows } from './rows/packed-rows.ts'
import type { Store, Transaction } from '../store/store.ts'

/** How long other writes may have to wait for a window, in milliseconds, and its parts at most. */
const windowMs = 100
const windowParts = 2
/** How often it is looked whether another import has given up its turn. */
const turnMs = 50

/** It was decided meanwhile how the import ends, or it has ended. */
class Ending extends Error {
  override name = 'Ending'
}

/** Bytes in the database and its log, for one of checked rows. */
const bytesPerByte = 3

/**
 * Writes the checked rows of an import beyond the head of its repository, where nobody sees them, and
 * then raises the head past all of them. It goes on where one that was cut short has got to. Where items were added since its
 * rows were matched it checks them again, while no others can be, and stops where that comes out otherwise than was confirmed.
 * @throws Failure REPO_NOT_FOUND, STORAGE_FULL; LeaseLost; Ending
 */
export async function publishImport(
  context: ImportContext,
  { id, datasetId, lease }: { id: number; datasetId: number; lease: Lease },
): Promise<void> {
  const { store } = context
  let turn = await waitForTurn(context, { id, datasetId, lease })
  if (turn.isOutdated) {
    await checkImport(context, { ...turn, lease })
    if (await holdUnlessConfirmed(store, { id, datasetId })) return
    turn = await waitForTurn(context, { id, datasetId, lease })
  }
  const { row, repo } = turn
  const rowCount = countItems(row)
  if (rowCount > 0) await writeRows(context, { row, repo, lease })
  lease.check()
  await store.write(async (transaction) => {
    await lockBoth(transaction, { id, datasetId: repo.id })
    await endPublishing(transaction, { datasetId: repo.id, importId: id, rows: rowCount })
    await updateImport(transaction, id, { state: 'done' })
    await dropImportBlobs(transaction, id)
    if (rowCount === 0) return
    await writeAudit(transaction, {
      what: 'import-published',
      by: { key: row.created_by, name: undefined },
      dataset: repo,
      details: { key: row.key, items: rowCount },
    })
  })
}

/** Writes what is not there yet; the next rows are read, and their leaves hashed, while some are written. */
async function writeRows(
  { store, blobs }: ImportContext,
  { row, repo, lease }: { row: ImportRow; repo: Dataset; lease: Lease },
): Promise<void> {
  const checked = await listImportBlobs(store.reads, row.id, 'checked')
  await blobs.requireRoom(checked.reduce((sum, { size }) => sum + size, 0) * bytesPerByte)
  const place = {
    position: row.first_position!,
    itemId: row.first_item_id!,
    createdAt: row.items_created_at!,
    author: row.created_by,
    reason: readOptions(row.options).reason,
  }
  const afterPublished = checked.findIndex(({ start }) => start > row.published_rows)
  const pending = afterPublished === -1 ? checked.slice(-1) : checked.slice(afterPublished - 1)
  const window = new AdaptiveWindow({ targetMs: windowMs, size: 1 })
  const readNext = async () => {
    const some = pending.splice(0, Math.min(window.size, windowParts))
    const statements: Expression[] = []
    let to = some[0]?.start ?? 0
    for (const part of some) {
      for (const list of unpackRows(await readOwnBlob(blobs, part))) {
        if (to >= row.published_rows) {
          const at = { ...place, position: place.position + to, itemId: place.itemId + to }
          statements.push(...insertCheckedRows(repo, list, at))
          // A list takes a millisecond.
          await nextTurn()
        }
        to += list.count
      }
    }
    return { parts: some.length, to, statements }
  }
  let next = await readNext()
  while (next.parts > 0) {
    lease.check()
    const { parts, to, statements } = next
    const claim = { importId: row.id, datasetId: repo.id, rows: to, step: 'writing' as const }
    const began = performance.now()
    const writing = store
      .writeInWorker({ claim: recordPublishedRows(claim), statements })
      .then(() => window.took(performance.now() - began, parts))
    ;[next] = await Promise.all([readNext(), writing])
  }
}

type Turn = {
  row: ImportRow
  repo: Dataset
  /** Whether rows were matched with items that may not be the current ones; others can not be added from then on. */
  isOutdated: boolean
}

/** Takes positions and ids, once no other import of the repository is publishing. */
async function waitForTurn(
  { store, itemIds }: ImportContext,
  { id, datasetId, lease }: { id: number; datasetId: number; lease: Lease },
): Promise<Turn> {
  for (;;) {
    lease.check()
    await itemIds.giveBack(datasetId)
    const turn = await store.write(async (transaction): Promise<Turn | undefined> => {
      const { repo, current } = await lockBoth(transaction, { id, datasetId })
      if (current.first_position !== null) return { repo, row: current, isOutdated: false }
      if (repo.publishingImport !== null && repo.publishingImport !== id) return undefined
      if (
        readOptions(current.options).match !== undefined &&
        current.matched_at !== (await readHead(transaction, datasetId))
      ) {
        await takeTurn(transaction, { datasetId, importId: id })
        await updateImport(transaction, id, { state: 'publishing' })
        return { repo, row: current, isOutdated: true }
      }
      const rows = countItems(current)
      if (rows === 0) return { repo, row: current, isOutdated: false }
      const place = await reserveItems(transaction, { datasetId, importId: id, rows })
      const changes = {
        state: 'publishing' as const,
        first_position: place.position,
        first_item_id: place.itemId,
        items_created_at: place.createdAt,
      }
      await updateImport(transaction, id, changes)
      return { repo, row: { ...current, ...changes }, isOutdated: false }
    })
    if (turn !== undefined) return turn
    await sleep(turnMs)
  }
}

/**
 * Lets an import wait to be confirmed, unless what its check has come to was; it gives up its turn.
 * @returns whether it waits
 */
export async function holdUnlessConfirmed(
  store: Store,
  { id, datasetId }: { id: number; datasetId: number },
): Promise<boolean> {
  return store.write(async (transaction) => {
    const { current } = await lockBoth(transaction, { id, datasetId })
    const { options, outcome, confirmed } = current
    if (readOptions(options).confirm !== true || confirmed === outcome) return false
    await endPublishing(transaction, { datasetId, importId: id, rows: 0 })
    await updateImport(transaction, id, { state: 'checked', confirmed: null })
    return true
  })
}

/** An import and its repository, as they stay until the transaction is over. */
async function lockBoth(
  transaction: Transaction,
  { id, datasetId }: { id: number; datasetId: number },
): Promise<{ repo: Dataset; current: ImportRow }> {
  const repo = await lockDatasetById(transaction, datasetId)
  if (repo === undefined) throw fail('REPO_NOT_FOUND')
  const current = await lockImport(transaction, id)
  if (current === undefined || !isUnfinished(current) || current.ends_as !== null) {
    throw new Ending()
  }
  return { repo, current }
}
