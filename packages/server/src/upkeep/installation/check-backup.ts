import { join } from 'node:path'
import { checkFile, checkItems, orUnreadable } from '../verify/check-installation.ts'
import { openSnapshot, requireOwnObjects } from '../../store/snapshot.ts'
import {
  type CompleteBackup,
  databaseNames,
  digestOfPath,
  hashFile,
  readList,
  requireList,
} from './backup-folder.ts'
import { type RestoreOptions, requireComplete } from './restore-installation.ts'

export type CheckedBackup = CompleteBackup & {
  /** Whether items were looked at one by one: of SQLite, in the schema of this program. */
  hasCheckedItems: boolean
}

/**
 * Reads a backup down to the last byte, and compares every digest.
 * @param onDamage told of each file and item that is not as it was
 * @throws BackupError where no backup is whole, or something else is in it; SnapshotError
 */
export async function checkBackup(
  folder: string,
  {
    onProgress,
    onDamage,
    signal,
  }: RestoreOptions & { onDamage: (damage: { where: string; what: string }) => void },
): Promise<CheckedBackup> {
  const { complete } = await requireComplete(folder)
  await requireList(folder, complete, signal)
  for (const where of complete.damaged) {
    onDamage({ where, what: 'was damaged when the backup was made' })
  }
  let done = 0
  let isDatabaseSound = true
  for await (const { path, sha256 } of readList(folder, complete)) {
    signal.throwIfAborted()
    const isBlob = digestOfPath(path) !== undefined
    const what = await damageOf(join(folder, path), sha256, signal)
    if (what !== undefined) onDamage({ where: path, what })
    if (isBlob) onProgress?.({ done: (done += 1), total: complete.blobs })
    else isDatabaseSound = what === undefined
  }
  if (!isDatabaseSound) return { ...complete, hasCheckedItems: false }
  const file = join(folder, complete.folder, databaseNames[complete.engine])
  await requireOwnObjects(file, complete.engine, signal)
  const snapshot = await openSnapshot(file, complete.engine)
  try {
    if (snapshot?.isCurrent !== true) return { ...complete, hasCheckedItems: false }
    for (const check of [orUnreadable('database', checkFile(snapshot)), checkItems(snapshot)]) {
      for await (const damage of check) {
        signal.throwIfAborted()
        onDamage(damage)
      }
    }
    return { ...complete, hasCheckedItems: true }
  } finally {
    await snapshot?.close()
  }
}

async function damageOf(
  path: string,
  sha256: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const hash = await hashFile(path, signal)
    return hash.sha256 === sha256 ? undefined : 'its bytes are not those of its digest'
  } catch (error) {
    signal.throwIfAborted()
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing ? 'it is missing' : `it cannot be read (${(error as Error).message})`
  }
}
