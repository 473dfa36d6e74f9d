import { createHash, randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { approveOrphans } from '../store/blob-sightings.ts'
import { listKnownBlobs } from '../store/blobs.ts'
import { claimInstallation } from '../store/installation.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Blobs, TrashedBlob } from './blobs.ts'
import { emptyTrash, firstKeptDay } from './collect.ts'
import { openBlobs } from './open-blobs.ts'
import { requireOwnBlobs } from './require-own-blobs.ts'

type Rooms = { store: Store; blobs: Blobs }

/**
 * Opens database and blobs of an installation for a command; a server may work on them at the same time.
 * @throws ConfigError where they do not belong together
 */
export async function withBlobs<T>(config: Config, work: (rooms: Rooms) => Promise<T>): Promise<T> {
  return open(config, async (rooms) => {
    await requireOwnBlobs(rooms, config.blobs)
    return work(rooms)
  })
}

/** Makes a blob store that of the database that is configured with it, whosever it was before. */
export function adopt(config: Config): Promise<Adopted> {
  return open(config, adoptBlobs)
}

async function open<T>(config: Config, work: (rooms: Rooms) => Promise<T>): Promise<T> {
  const store = await openStore(config)
  try {
    return await work({ store, blobs: await openBlobs(config) })
  } finally {
    await store.close()
  }
}

/** The ids of the installation that has the blobs from now on, and of the one that had them. */
export type Adopted = { id: string; before: string | undefined }

export async function adoptBlobs({ store, blobs }: Rooms): Promise<Adopted> {
  const before = await blobs.owner.read()
  const id = await claimInstallation(store, randomUUID())
  if (before !== id) await blobs.owner.replace(id)
  return { id, before }
}

/**
 * Lets the next collection take orphans that are suspiciously many; returns how many were seen so far.
 * Each still has to be past its grace.
 */
export function approveCollection({ store }: Rooms): Promise<number> {
  return store.write((transaction) => approveOrphans(transaction))
}

/** Lists the trash, the oldest day first. */
export async function* listTrash({ trash }: Blobs): AsyncGenerator<TrashedBlob> {
  for (const day of await trash.days()) yield* trash.list(day)
}

/** Blobs to restore: given ones, all, or those that the database has and whose bytes are needed. */
export type Wanted = ReadonlySet<string> | 'all' | 'needed'

export type Restored = { restored: number; damaged: TrashedBlob[] }

/** Puts blobs back under their digests, each after its bytes were hashed; damaged ones stay. */
export async function restoreTrash(
  { store, blobs }: Rooms,
  { wanted, day }: { wanted: Wanted; day?: string | undefined },
): Promise<Restored> {
  const outcome: Restored = { restored: 0, damaged: [] }
  for await (const trashed of listTrash(blobs)) {
    if (day !== undefined && trashed.day !== day) continue
    if (!(await isWanted(store, trashed, wanted))) continue
    if (await isWhole(blobs, trashed)) {
      await blobs.trash.restore(trashed)
      outcome.restored += 1
    } else outcome.damaged.push(trashed)
  }
  return outcome
}

/** Removes for good what is older than so many days; returns the days that are gone. */
export function emptyTrashOf(blobs: Blobs, olderThanDays: number): Promise<string[]> {
  return emptyTrash(blobs, firstKeptDay(olderThanDays, Date.now()))
}

async function isWanted(store: Store, { sha256 }: TrashedBlob, wanted: Wanted): Promise<boolean> {
  if (wanted === 'all') return true
  if (wanted === 'needed') return (await listKnownBlobs(store.reads, [sha256])).size > 0
  return wanted.has(sha256)
}

async function isWhole({ trash }: Blobs, trashed: TrashedBlob): Promise<boolean> {
  const hash = createHash('sha256')
  const bytes = (await trash.open(trashed)) as AsyncIterable<Buffer>
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex') === trashed.sha256
}
