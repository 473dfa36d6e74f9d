import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import type { Blobs } from '../../blobs/blobs.ts'
import { copyBlob, DamagedBlob } from '../../blobs/read-blob.ts'
import { openFileBlobs } from '../../blobs/files/files.ts'
import { syncFolder } from '../../blobs/files/durable-files.ts'
import { openBlobs } from '../../blobs/open-blobs.ts'
import type { Config } from '../../config.ts'
import { listLiveBlobs } from '../../store/blobs.ts'
import { countDatasets, countItems } from '../../store/datasets.ts'
import { holdCollection } from '../../store/leases.ts'
import { findInstallation } from '../../store/installation.ts'
import { lockFolder } from '../../store/lock.ts'
import { openExisting } from '../../store/open-existing.ts'
import { requireOwnObjects, snapshotDatabase } from '../../store/snapshot.ts'
import type { DatabaseAddress, Db } from '../../store/store.ts'
import {
  type CompleteBackup,
  BackupError,
  blobPath,
  databaseNames,
  hashFile,
  listName,
  openBackupFolder,
  sizeOf,
  snapshotName,
  writeManifest,
} from './backup-folder.ts'

export { Failure } from '../../failure.ts'
export { SnapshotError } from '../../store/snapshot.ts'
export { BackupError } from './backup-folder.ts'

const windowRows = 5000
const blobsAtOnce = 8

export type BackupProgress = { what: 'database' | 'blobs'; done: number; total: number }

export type BackupOptions = {
  /** Whether files that an earlier backup left are read again, and replaced where they are damaged. */
  check?: boolean
  onProgress?: (progress: BackupProgress) => void
  signal: AbortSignal
}

export type Backup = CompleteBackup & {
  /** Blobs that were copied now; the others were there. */
  copied: number
}

/**
 * Backs an installation up to a folder, beside servers that work on it (docs/decisions/installations.md).
 * What an interrupted or earlier backup left there is not copied again.
 * @throws BackupError, SnapshotError, ConfigError, in sentences for the person who backs up
 */
export async function backupInstallation(
  { database, blobs, dataDir }: Pick<Config, 'database' | 'blobs' | 'dataDir'>,
  folder: string,
  options: BackupOptions,
): Promise<Backup> {
  const begunAt = new Date().toISOString()
  await using opened = new AsyncDisposableStack()
  const { schema, installation } = await identify(database)
  const source = await openBlobs({ blobs, dataDir })
  const owner = await source.owner.read()
  if (owner !== installation && owner !== undefined) {
    throw new BackupError(
      'The database and the files are of two installations: check VITRINE_DATABASE_URL and VITRINE_BLOB_URL.',
    )
  }
  const { complete: former } = await openBackupFolder(folder, installation)
  const lock = lockFolder(folder)
  if (lock === undefined) throw new BackupError(`Another backup is being made to ${folder}.`)
  opened.defer(lock.release)
  // What an interrupted backup left of the database is of a moment that nobody asks for any more.
  await removeOthers(folder, former?.folder)
  const hold = await holdCollection(database)
  opened.defer(hold.release)

  const name = `at-${begunAt.replaceAll(':', '-')}`
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })
  const databaseFile = join(path, databaseNames[database.engine])
  const wanted = join(path, 'wanted')
  const figures = { datasets: 0, items: 0, total: 0 }
  await snapshotDatabase(database, databaseFile, {
    look: async (snapshot) => {
      figures.datasets = await countDatasets(snapshot)
      figures.items = await countItems(snapshot)
      figures.total = await writeWanted(snapshot, wanted)
    },
    onProgress: (done) => options.onProgress?.({ what: 'database', done, total: 1 }),
    signal: options.signal,
  })
  // Its restore would refuse them, when it is too late.
  await requireOwnObjects(databaseFile, database.engine, options.signal)
  const list = createWriteStream(join(path, listName), { flush: true, mode: 0o600 })
  const listDigest = createHash('sha256')
  const addToList = (sha256: string, file: string) => {
    const line = `${sha256}  ${file}\n`
    listDigest.update(line)
    list.write(line)
  }
  const written = await hashFile(databaseFile, options.signal)
  addToList(written.sha256, `${name}/${databaseNames[database.engine]}`)
  const target = await openFileBlobs(join(folder, 'blobs'))
  const copying = { source, target, folder, wanted, total: figures.total, addToList }
  const { copied, ...copiedBlobs } = await copyWanted(copying, options)
  list.end()
  await finished(list)
  await rm(wanted)
  await syncFolder(path)
  const complete: CompleteBackup = {
    folder: name,
    engine: database.engine,
    schema,
    begunAt,
    completedAt: new Date().toISOString(),
    datasets: figures.datasets,
    items: figures.items,
    ...copiedBlobs,
    databaseBytes: written.size,
    listSha256: listDigest.digest('hex'),
  }
  if (!(await hold.renew())) {
    throw new BackupError(
      'It was halted for ten minutes or longer, in which files may have been removed: run it again.',
    )
  }
  await writeManifest(folder, { format: 1, installation, complete })
  await removeOthers(folder, name)
  return { ...complete, copied }
}

/** Reads the schema of a database, and whose it is. */
async function identify(
  database: DatabaseAddress,
): Promise<{ schema: string; installation: string | undefined }> {
  const { reads, schema, close } = await openExisting(database)
  try {
    return { schema, installation: await findInstallation(reads) }
  } finally {
    await close()
  }
}

type WantedBlob = { sha256: string; size: number; isHeld: boolean }

/** Lists the blobs of a snapshot in a file, as they are too many for memory; returns how many. */
async function writeWanted(snapshot: Db, path: string): Promise<number> {
  const file = await open(path, 'w')
  let total = 0
  try {
    for (let after = ''; ;) {
      const listed = await listLiveBlobs(snapshot, after, windowRows)
      const last = listed.at(-1)
      if (last === undefined) return total
      const lines = listed.map(
        ({ sha256, size, isHeld }) => `${sha256} ${size} ${Number(isHeld)}\n`,
      )
      await file.write(lines.join(''))
      total += listed.length
      after = last.sha256
    }
  } finally {
    await file.close()
  }
}

async function* readWanted(path: string): AsyncGenerator<WantedBlob> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [sha256 = '', size, isHeld] = line.split(' ')
    yield { sha256, size: Number(size), isHeld: isHeld === '1' }
  }
}

type Copying = {
  source: Blobs
  target: Blobs
  folder: string
  wanted: string
  total: number
  addToList: (sha256: string, file: string) => void
}

/** Copies the blobs that are not there yet, some at a time, and goes on after damaged ones. */
async function copyWanted(
  { source, target, folder, wanted, total, addToList }: Copying,
  { check = false, onProgress, signal }: BackupOptions,
): Promise<Pick<Backup, 'blobs' | 'blobBytes' | 'damaged' | 'copied'>> {
  const result = { blobs: 0, blobBytes: 0, damaged: [] as string[], copied: 0 }
  const isThere = async ({ sha256, size }: WantedBlob) => {
    const path = join(folder, blobPath(sha256))
    if ((await sizeOf(path)) !== size) return false
    if (!check || (await hashFile(path, signal)).sha256 === sha256) return true
    // Of the right size, it would be taken for the right one.
    await rm(path)
    return false
  }
  let done = 0
  const left = readWanted(wanted)
  const copyOn = async () => {
    for await (const blob of left) {
      signal.throwIfAborted()
      try {
        if (!(await isThere(blob))) {
          await copyBlob(() => source.open(blob), target, blob)
          result.copied += 1
        }
        result.blobs += 1
        result.blobBytes += blob.size
        addToList(blob.sha256, blobPath(blob.sha256))
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error
        // Unreferenced blobs may have been removed.
        if (blob.isHeld) result.damaged.push(blob.sha256)
      }
      onProgress?.({ what: 'blobs', done: (done += 1), total })
    }
  }
  await Promise.all(Array.from({ length: blobsAtOnce }, copyOn))
  return result
}

/** Removes the databases of all backups but one; their blobs stay. */
async function removeOthers(folder: string, name: string | undefined): Promise<void> {
  for (const other of await readdir(folder)) {
    if (!snapshotName.test(other) || other === name) continue
    await rm(join(folder, other), { recursive: true, force: true })
  }
}
