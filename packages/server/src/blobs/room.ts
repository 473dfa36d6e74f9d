import { statfs } from 'node:fs/promises'
import { fail } from '../failure.ts'

/** Of a disk, the part that people may not fill: deletes and the database need room to go on. */
const reservedShare = 0.05
const reservedBytesMax = 256 * 1024 ** 2

/**
 * Refuses when a disk has no more than its reserve left.
 * @throws Failure STORAGE_FULL
 */
export async function requireRoom(folder: string): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const reserve = Math.min(blocks * bsize * reservedShare, reservedBytesMax)
  if (bavail * bsize <= reserve) throw fail('STORAGE_FULL')
}
