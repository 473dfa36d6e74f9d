import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Blobs } from '../../blobs/blobs.ts'
import { copyBlob, DamagedBlob } from '../../blobs/read-blob.ts'
import { openBlobs } from '../../blobs/open-blobs.ts'
import type { Config } from '../../config.ts'
import { lockInstallation } from '../../store/lock.ts'
import { isEmptyDatabase, requireOwnObjects, restoreSnapshot } from '../../store/snapshot.ts'
import {
  type CompleteBackup,
  BackupError,
  blobPath,
  databaseNames,
  digestOfPath,
  hashFile,
  readList,
  readManifest,
  requireList,
  sizeOf,
} from './backup-folder.ts'
import { requireLayout } from './backup-layout.ts'

const blobsAtOnce = 8

export type RestoreOptions = {
  onProgress?: (progress: { done: number; total: number }) => void
  signal: AbortSignal
}

export type Restored = CompleteBackup & {
  /** Digests of blobs that were damaged in the backup, or when it was made. */
  damaged: string[]
  /** Whether its logs were signed, and what was signed last is not there. */
  lacksCheckpoints: boolean
}

/** The migration from which on an installation keeps what it signed. */
const checkpointsSchema = '012-checkpoints'

/**
 * Restores a backup to where there is nothing: the blobs first, then the database, so that a server finds
 * all or nothing. Every digest is checked on the way. What was interrupted goes on where it was.
 * @throws BackupError, SnapshotError, ConfigError, in sentences for the person who restores
 */
export async function restoreInstallation(
  folder: string,
  place: Pick<Config, 'database' | 'blobs' | 'dataDir'>,
  { onProgress, signal }: RestoreOptions,
): Promise<Restored> {
  const { complete, installation } = await requireComplete(folder)
  const { database, dataDir } = place
  if (complete.engine !== database.engine) {
    throw new BackupError(
      `This is a backup of ${engineNames[complete.engine]}: restore it there (VITRINE_DATABASE_URL), and move it with \`vitrine copy\` then.`,
    )
  }
  await requireList(folder, complete, signal)
  await using opened = new AsyncDisposableStack()
  const lock = lockInstallation(place)
  if (lock === undefined) {
    throw new BackupError(`A server works on ${dataDir}: name an empty folder, or stop it.`)
  }
  opened.defer(lock.release)
  if (!(await isEmptyDatabase(database))) {
    throw new BackupError('There is a database already, and it stays as it is: name an empty one.')
  }
  const file = join(folder, complete.folder, databaseNames[complete.engine])
  await requireDatabase(folder, complete, { file, signal })
  const target = await openBlobs(place)
  const owner = installation && (await target.owner.claim(installation))
  if (owner !== installation) throw otherBlobs()
  const copying = { folder, complete, target, there: await blobsThere(folder, complete, target) }
  const damaged = await copyBlobs(copying, { onProgress, signal })
  signal.throwIfAborted()
  await restoreSnapshot(file, database, { signal })
  return {
    ...complete,
    damaged: [...complete.damaged, ...damaged],
    lacksCheckpoints: complete.schema >= checkpointsSchema && !(await target.checkpoints.isThere()),
  }
}

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** @throws BackupError where no backup in the folder is whole, or something else is in it */
export async function requireComplete(
  folder: string,
): Promise<{ complete: CompleteBackup; installation: string | undefined }> {
  await requireLayout(folder)
  const { complete, installation } = await readManifest(folder)
  if (complete !== undefined) return { complete, installation }
  throw new BackupError(`The backup in ${folder} is not whole: run \`vitrine backup\` again.`)
}

async function requireDatabase(
  folder: string,
  complete: CompleteBackup,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const first = await readList(folder, complete).next()
  const isThere = (await sizeOf(file)) === complete.databaseBytes
  if (!isThere || (await hashFile(file, signal)).sha256 !== first.value?.sha256) {
    throw new BackupError(`${file} is missing or damaged: this backup cannot be restored.`)
  }
  await requireOwnObjects(file, complete.engine, signal)
}

/**
 * The sizes of blobs that an interrupted restore left.
 * @throws BackupError where there are blobs that are not of this backup
 */
async function blobsThere(
  folder: string,
  complete: CompleteBackup,
  target: Blobs,
): Promise<Map<string, number>> {
  const there = new Map<string, number>()
  for await (const { sha256, size } of target.list()) there.set(sha256, size)
  if (there.size === 0) return there
  const others = new Set(there.keys())
  for await (const { path } of readList(folder, complete)) others.delete(digestOfPath(path) ?? '')
  if (others.size === 0) return there
  throw otherBlobs()
}

const otherBlobs = () =>
  new BackupError(
    'There are files of another installation already: name an empty folder or bucket (VITRINE_BLOB_URL).',
  )

async function copyBlobs(
  {
    folder,
    complete,
    target,
    there,
  }: { folder: string; complete: CompleteBackup; target: Blobs; there: Map<string, number> },
  { onProgress, signal }: RestoreOptions,
): Promise<string[]> {
  const damaged: string[] = []
  const left = readList(folder, complete)
  let done = 0
  const copyOn = async () => {
    for await (const { path } of left) {
      signal.throwIfAborted()
      const sha256 = digestOfPath(path)
      if (sha256 === undefined) continue
      const file = join(folder, blobPath(sha256))
      try {
        if (!there.has(sha256) || there.get(sha256) !== (await sizeOf(file))) {
          await copyBlob(() => createReadStream(file), target, { sha256 })
        }
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error
        damaged.push(sha256)
      }
      onProgress?.({ done: (done += 1), total: complete.blobs })
    }
  }
  await Promise.all(Array.from({ length: blobsAtOnce }, copyOn))
  return damaged
}
