import {
  dropMarkedBlobs,
  hasGarbage,
  listBlobDigests,
  listKnownBlobs,
  listMarkedBlobs,
  markGarbage,
  markOrphans,
} from '../store/blobs.ts'
import type { Lease } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import type { Blobs } from './blobs.ts'

/** How many rows one query looks at: a read must not hold the event loop. */
const windowRows = 1000
/** How many blobs are removed before their rows are dropped, and so how long an uploader may wait. */
const removalRows = 100

type Rooms = { store: Store; blobs: Blobs }
type Collecting = Rooms & { lease: Lease }

/**
 * Removes the blobs that no item holds and no insert leases, once they are `graceMs` old. A blob is
 * first marked, in a transaction that sees every lease; then its bytes go; then its row. Whoever meets
 * a marked blob waits for its row to go and publishes its own bytes again. An earlier collection that
 * was cut short is finished first.
 *
 * Only one collection runs at a time, whatever the processes: two would remove what was published
 * between them.
 *
 * @returns how many blobs went; none where another process is at it
 */
export async function collectBlobs(
  rooms: Rooms,
  { graceMs }: { graceMs: number },
): Promise<number> {
  const removed = await rooms.store.exclusively('collection', async (lease) => {
    const collecting = { ...rooms, lease }
    const left = await removeMarked(collecting)
    const garbage = await collectGarbage(collecting, graceMs)
    return left + garbage + (await collectOrphans(collecting, graceMs))
  })
  return removed ?? 0
}

async function collectGarbage(collecting: Collecting, graceMs: number): Promise<number> {
  const { store } = collecting
  let removed = 0
  let after = ''
  for (;;) {
    const last = (await listBlobDigests(store.reads, after, windowRows)).at(-1)
    if (last === undefined) return removed
    const window = { after, last, graceMs }
    if (await hasGarbage(store.reads, window)) {
      await store.write((transaction) => markGarbage(transaction, window))
      removed += await removeMarked(collecting)
    }
    after = last
    await new Promise(setImmediate)
  }
}

/** Bytes without a row: published by an upload that never got to its transaction. */
async function collectOrphans(collecting: Collecting, graceMs: number): Promise<number> {
  const { store, blobs } = collecting
  let removed = 0
  let found: { sha256: string; size: number }[] = []
  const collect = async () => {
    const known = await listKnownBlobs(
      store.reads,
      found.map(({ sha256 }) => sha256),
    )
    const orphans = found.filter(({ sha256 }) => !known.has(sha256))
    found = []
    if (orphans.length === 0) return
    await store.write((transaction) => markOrphans(transaction, orphans))
    removed += await removeMarked(collecting)
  }
  for await (const { sha256, size, modifiedAt } of blobs.list()) {
    if (Date.now() - modifiedAt < graceMs) continue
    found.push({ sha256, size })
    if (found.length === windowRows) await collect()
  }
  if (found.length > 0) await collect()
  return removed
}

async function removeMarked({ store, blobs, lease }: Collecting): Promise<number> {
  let removed = 0
  for (;;) {
    const marked = await listMarkedBlobs(store.reads, removalRows)
    if (marked.length === 0) return removed
    lease.check()
    await Promise.all(marked.map((sha256) => blobs.remove(sha256)))
    await store.write((transaction) => dropMarkedBlobs(transaction, marked))
    removed += marked.length
  }
}
