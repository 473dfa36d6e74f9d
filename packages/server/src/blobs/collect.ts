import {
  countDueOrphans,
  forgetSightings,
  hasSightings,
  listDueOrphans,
  recordSightings,
  readClock,
} from '../store/blob-sightings.ts'
import {
  dropMarkedBlobs,
  hasGarbage,
  listBlobDigests,
  listKnownBlobs,
  listMarkedBlobs,
  markGarbage,
  markOrphans,
} from '../store/blobs.ts'
import { findInstallation } from '../store/installation.ts'
import type { Lease } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import type { Blobs } from './blobs.ts'

/** How many rows one query looks at: a read must not hold the event loop. */
const windowRows = 1000
/** How many blobs are removed before their rows are dropped, and so how long an uploader may wait. */
const removalRows = 100
/** Orphans beyond both of these are not collected unless a person approves it. */
const massBounds = { blobs: 100, share: 0.05 }

type Rooms = { store: Store; blobs: Blobs }
type Collecting = Rooms & { lease: Lease }

/** Milliseconds: since a row was made, and since the database first saw bytes without a row. */
export type Graces = { graceMs: number; orphanGraceMs: number }

export type Collection = {
  /** Blobs that went to the trash. */
  collected: number
  /** Orphans left where they are, as they are suspiciously many; see `massBounds`. */
  withheld: number
}

/**
 * Moves the blobs that no item holds and no insert leases to the trash, once they are past their grace. A
 * blob is first marked, in a transaction that sees every lease; then its bytes go; then its row. Whoever
 * meets a marked blob waits for its row to go and publishes its own bytes again. An earlier collection that
 * was cut short is finished first.
 *
 * Only one collection runs at a time, whatever the processes: two would remove what was published
 * between them.
 *
 * @returns undefined where another process is at it
 */
export function collectBlobs(
  rooms: Rooms,
  { graceMs, orphanGraceMs }: Graces,
): Promise<Collection | undefined> {
  return rooms.store.exclusively('collection', async (lease) => {
    const collecting = { ...rooms, lease }
    await requireOwner(rooms)
    const left = await removeMarked(collecting)
    const garbage = await collectGarbage(collecting, graceMs)
    const orphans = await collectOrphans(collecting, orphanGraceMs)
    return { ...orphans, collected: left + garbage + orphans.collected }
  })
}

/** A folder may be mounted elsewhere, or adopted by another installation, while a server runs. */
async function requireOwner({ store, blobs }: Rooms): Promise<void> {
  if ((await blobs.owner.read()) === (await findInstallation(store.reads))) return
  throw new Error('the blob store belongs to another installation, so nothing is collected')
}

/** Collects the blobs that the database marked as unreferenced. */
async function collectGarbage(collecting: Collecting, graceMs: number): Promise<number> {
  const { store } = collecting
  let collected = 0
  let after = ''
  for (;;) {
    const last = (await listBlobDigests(store.reads, after, windowRows)).at(-1)
    if (last === undefined) return collected
    const window = { after, last, graceMs }
    if (await hasGarbage(store.reads, window)) {
      await store.write((transaction) => markGarbage(transaction, window))
      collected += await removeMarked(collecting)
    }
    after = last
    await new Promise(setImmediate)
  }
}

/**
 * Collects bytes without a row. An upload that never got to its transaction leaves some; many are a sign
 * that this is not the database of these blobs, or an older state of it.
 */
async function collectOrphans(collecting: Collecting, graceMs: number): Promise<Collection> {
  const { store } = collecting
  const total = await noteOrphans(collecting)
  const due = await countDueOrphans(store.reads, graceMs)
  const approvedOnly = due > massBounds.blobs && due > total * massBounds.share
  const window = { graceMs, approvedOnly, limit: windowRows }
  let collected = 0
  for (;;) {
    const orphans = await listDueOrphans(store.reads, window)
    if (orphans.length === 0) return { collected, withheld: approvedOnly ? due : 0 }
    await store.write((transaction) => markOrphans(transaction, orphans))
    collected += await removeMarked(collecting)
  }
}

/** Notes which orphans there are, and since when; returns how many blobs there are in all. */
async function noteOrphans({ store, blobs }: Rooms): Promise<number> {
  const began = await readClock(store.reads)
  let total = 0
  let listed: { sha256: string; size: number }[] = []
  const note = async () => {
    total += listed.length
    const digests = listed.map(({ sha256 }) => sha256)
    const recorded = await listKnownBlobs(store.reads, digests)
    const orphans = listed.filter(({ sha256 }) => !recorded.has(sha256))
    listed = []
    if (orphans.length > 0)
      await store.write((transaction) => recordSightings(transaction, orphans))
  }
  for await (const blob of blobs.list()) {
    listed.push(blob)
    if (listed.length === windowRows) await note()
  }
  if (listed.length > 0) await note()
  if (await hasSightings(store.reads)) {
    await store.write((transaction) => forgetSightings(transaction, began))
  }
  return total
}

async function removeMarked({ store, blobs, lease }: Collecting): Promise<number> {
  let removed = 0
  for (;;) {
    const marked = await listMarkedBlobs(store.reads, removalRows)
    if (marked.length === 0) return removed
    lease.check()
    const today = dayOf(Date.now())
    await Promise.all(
      marked.map(({ isTransient, ...blob }) =>
        isTransient ? blobs.remove(blob.sha256) : blobs.trash.put(blob, today),
      ),
    )
    const digests = marked.map(({ sha256 }) => sha256)
    await store.write((transaction) => dropMarkedBlobs(transaction, digests))
    removed += marked.length
  }
}

const dayMs = 24 * 60 * 60_000

/** Returns the UTC day of a moment in milliseconds since 1970, such as `2026-11-22`. */
function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Returns the first day of which the trash is still kept, for so many days. */
export function firstKeptDay(keptDays: number, moment: number): string {
  return dayOf(moment - keptDays * dayMs)
}

/** Removes for good what was put into the trash before a day; returns those days. */
export async function emptyTrash({ trash }: Blobs, before: string): Promise<string[]> {
  const days = (await trash.days()).filter((day) => day < before)
  for (const day of days) await trash.removeDay(day)
  return days
}
