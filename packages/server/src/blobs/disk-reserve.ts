import { statfs } from 'node:fs/promises'
import { fail } from '../failure.ts'

/**
 * Part of a disk that people may not fill, as deletes and the database need room to go on: SQLite lets 4 MiB gather in
 * its log before it writes as much again into its file.
 */
const reserved = { share: 0.05, bytesMin: 8 * 1024 ** 2, bytesMax: 256 * 1024 ** 2 }

/** How long one look at the disk is good for: a look costs as much as a small request. */
const lookMs = 200

/** Refuses when no more than the reserve would be left after `bytes` more. */
export type RequireRoom = (bytes: number) => Promise<void>

/**
 * Watches over the room on a folder's disk; what is asked for between two looks counts as taken.
 * What is returned throws Failure STORAGE_FULL.
 */
export function watchRoom(folder: string): RequireRoom {
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<number>
  let taken = 0
  return async (bytes) => {
    if (performance.now() - lookedAt > lookMs) {
      lookedAt = performance.now()
      looking = lookForRoom(folder)
      taken = 0
    }
    taken += bytes
    if ((await looking) - taken <= 0) throw fail('STORAGE_FULL')
  }
}

async function lookForRoom(folder: string): Promise<number> {
  const { free, reserve } = await readRoom(folder)
  return free - reserve
}

/** Reads how many bytes are free on a folder's disk, and how many of them people may not fill. */
export async function readRoom(folder: string): Promise<{ free: number; reserve: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const { share, bytesMin, bytesMax } = reserved
  const reserve = Math.min(Math.max(blocks * bsize * share, bytesMin), bytesMax)
  return { free: bavail * bsize, reserve }
}
