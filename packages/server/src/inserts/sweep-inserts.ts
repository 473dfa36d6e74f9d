import { forgetAddedItems } from '../store/added-items.ts'
import {
  dropExpiredValues,
  endInsert,
  listExpiredInserts,
  type ExpiredInsert,
} from '../store/inserts.ts'
import type { Store } from '../store/store.ts'

/** How many inserts one query looks at: neither a read nor a write may hold the event loop. */
const windowRows = 200

/**
 * Drops what was uploaded for expired inserts, and so the leases of their blobs. Their rows stay for
 * `keptMs`, as long as somebody may still ask why an insert is gone; so do the keys of items that were added in one
 * request, as long as the request may come again.
 */
export async function sweepInserts(store: Store, { keptMs }: { keptMs: number }): Promise<void> {
  let last: Parameters<typeof listExpiredInserts>[1] = { expiresAt: 0, datasetId: 0, itemId: 0 }
  for (;;) {
    const expired = await listExpiredInserts(store.reads, last, windowRows)
    const end = expired.at(-1)
    if (end === undefined) break
    await sweep(store, expired, Date.now() - keptMs)
    last = end
    await new Promise(setImmediate)
  }
  const window = { keptMs, limit: windowRows }
  while (await store.write((transaction) => forgetAddedItems(transaction, window))) {
    await new Promise(setImmediate)
  }
}

async function sweep(store: Store, expired: ExpiredInsert[], forgottenAt: number): Promise<void> {
  const forgotten = expired.filter(({ expiresAt }) => expiresAt <= forgottenAt)
  const emptied = expired.filter(({ expiresAt, hasValues }) => hasValues && expiresAt > forgottenAt)
  if (forgotten.length + emptied.length === 0) return
  await store.write(async (transaction) => {
    for (const key of forgotten) await endInsert(transaction, key)
    for (const key of emptied) await dropExpiredValues(transaction, key)
  })
}
