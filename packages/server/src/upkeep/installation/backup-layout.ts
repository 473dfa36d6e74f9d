import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../blobs/files/durable-files.ts'
import {
  BackupError,
  databaseNames,
  listName,
  manifestName,
  snapshotName,
} from './backup-folder.ts'

/** Entry that a name may have: a file, or a folder with names of its own. */
type Entry = 'file' | Folder
type Folder = (name: string) => Entry | undefined

const blobFiles: Folder = (name) => (/^[0-9a-f]{62}$/.test(name) ? 'file' : undefined)
/** Files that an interrupted backup was copying. */
const unpublished: Folder = () => 'file'

const blobs: Folder = (name) => {
  if (name === 'tmp') return unpublished
  return /^[0-9a-f]{2}$/.test(name) ? blobFiles : undefined
}

const snapshotFiles = [...Object.values(databaseNames), listName, 'wanted']
const snapshot: Folder = (name) => (snapshotFiles.includes(name) ? 'file' : undefined)

const backupFiles = [manifestName, `${manifestName}.new`, 'lock.db', 'lock.db-journal']
const backup: Folder = (name) => {
  if (name === 'blobs') return blobs
  if (snapshotName.test(name)) return snapshot
  return backupFiles.includes(name) ? 'file' : undefined
}

/**
 * Looks at the names in a backup, before any of its files is opened: a link leads out of it, and a pipe is
 * waited for. The folder itself may be a link.
 * @throws BackupError for the first that is no plain file or folder, or that `vitrine backup` does not make
 */
export async function requireLayout(folder: string): Promise<void> {
  try {
    await lstat(join(folder, manifestName))
    await requireEntries(folder, backup)
  } catch (error) {
    // No backup at all, which reading the manifest says.
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error
  }
}

async function requireEntries(folder: string, entryOf: Folder): Promise<void> {
  for await (const dirent of await opendir(folder)) {
    const path = join(folder, dirent.name)
    const kind = kindOf(dirent)
    if (kind !== 'file' && kind !== 'folder') {
      throw new BackupError(`${path}: it is a ${kind}, which no backup has.`)
    }
    const entry = entryOf(dirent.name)
    const isExpected = kind === 'file' ? entry === 'file' : typeof entry === 'function'
    if (!isExpected) {
      throw new BackupError(
        `${path}: no backup has a ${kind} of this name: move it elsewhere if it is yours.`,
      )
    }
    if (typeof entry === 'function') await requireEntries(path, entry)
  }
}

function kindOf(entry: Dirent): string {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isFIFO()) return 'pipe'
  return entry.isSocket() ? 'socket' : 'device'
}
