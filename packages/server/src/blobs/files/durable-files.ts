import type { Stats } from 'node:fs'
import { link, open, stat } from 'node:fs/promises'
import { Failure } from '../../failure.ts'

/** Gives a file a second name; returns whether that name was free. */
export async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** A new name survives a power cut only once its folder was synced (fsync(2), NOTES). */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; NTFS journals names by itself.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the failure of a request that the disk refused. */
export function refuse(error: unknown): never {
  if (error instanceof Failure) throw error
  const full = ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
  throw full ? new Failure('STORAGE_FULL', { cause: error }) : error
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}

/** Whether a fault is of one file, rather than of the disk, the process or the way to a store. */
export function isUnreadableFile(error: unknown): boolean {
  return ['EIO', 'EACCES', 'EPERM', 'EISDIR'].includes(codeOf(error) ?? '')
}
