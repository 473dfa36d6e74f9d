import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { syncFolder } from '../../blobs/files/durable-files.ts'

/** Why a backup cannot be made or restored, as a sentence. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Names of the folders with a database, by the moment when its backup began. */
export const snapshotName = /^at-[\dT.Z-]+$/

const completeBackup = z.object({
  /** A folder of the backup: the database, and the digests of all files. */
  folder: z.string().check(z.regex(snapshotName)),
  engine: z.enum(['sqlite', 'postgres']),
  /** The last migration that the database has seen. */
  schema: z.string(),
  begunAt: z.string(),
  completedAt: z.string(),
  datasets: z.number(),
  items: z.number(),
  blobs: z.number(),
  blobBytes: z.number(),
  databaseBytes: z.number(),
  /** The sha256 of the list of digests. */
  listSha256: z.string(),
  /** Digests of blobs that the installation itself had lost. */
  damaged: z.array(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
})
export type CompleteBackup = z.infer<typeof completeBackup>

const manifest = z.object({
  format: z.literal(1),
  /** The id of the installation; undefined of a database that no server of this version has started with. */
  installation: z.optional(z.string()),
  /** Undefined until the first backup is whole. */
  complete: z.optional(completeBackup),
})
export type Manifest = z.infer<typeof manifest>

export const manifestName = 'backup.json'
/** Names what `sha256sum --check` takes, with paths relative to the backup. */
export const listName = 'SHA256SUMS'
export const databaseNames = { sqlite: 'database.sqlite', postgres: 'database.dump' } as const

/** Mode of a folder with keys and tokens in it. */
const privateFolder = 0o700

/**
 * Makes a folder ready to be backed up to.
 * @throws BackupError for one with something else in it
 */
export async function openBackupFolder(
  folder: string,
  installation: string | undefined,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: privateFolder })
  const names = await readdir(folder)
  if (existsSync(join(folder, manifestName))) {
    const there = await readManifest(folder)
    const isOther = there.installation !== undefined && there.installation !== installation
    if (!isOther) return there
    throw new BackupError(`${folder} is a backup of another installation: name another folder.`)
  }
  if (names.length > 0) {
    throw new BackupError(`${folder} is not empty, and no backup: name another folder.`)
  }
  const first: Manifest = { format: 1, installation }
  await writeManifest(folder, first)
  return first
}

/** @throws BackupError where there is no backup */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(join(folder, manifestName), 'utf8')
  } catch {
    throw new BackupError(`${folder} is no backup: there is no ${manifestName} in it.`)
  }
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new BackupError(
      `${join(folder, manifestName)} cannot be read: it is damaged, or of a newer version of Vitrine.`,
    )
  }
}

/** Puts another manifest in the place of the one before, in one step. */
export async function writeManifest(folder: string, next: Manifest): Promise<void> {
  const path = join(folder, manifestName)
  const text = `${JSON.stringify(next, undefined, 2)}\n`
  await writeFile(`${path}.new`, text, { flush: true, mode: 0o600 })
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}

/** A file of a backup, by its path in it. */
export type ListedFile = { path: string; sha256: string }

/**
 * Reads the files of a backup and their digests, the database first.
 * @throws BackupError for a path that leads elsewhere
 */
export async function* readList(
  folder: string,
  { folder: snapshot, engine }: CompleteBackup,
): AsyncGenerator<ListedFile> {
  const list = join(folder, snapshot, listName)
  const database = `${snapshot}/${databaseNames[engine]}`
  for await (const line of createInterface({ input: createReadStream(list) })) {
    const [, sha256, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (sha256 === undefined || path === undefined) continue
    if (path !== database && digestOfPath(path) === undefined) {
      throw new BackupError(`${list} names ${path}, which is no file of a backup.`)
    }
    yield { sha256, path }
  }
}

/** @throws BackupError where the list of digests is not the one that was written, or leads elsewhere */
export async function requireList(
  folder: string,
  complete: CompleteBackup,
  signal: AbortSignal,
): Promise<void> {
  const path = join(folder, complete.folder, listName)
  const list = await hashFile(path, signal).catch(() => undefined)
  signal.throwIfAborted()
  if (list?.sha256 !== complete.listSha256) {
    throw new BackupError(`${path} is missing or damaged: this backup cannot be restored.`)
  }
  for await (const _ of readList(folder, complete)) signal.throwIfAborted()
}

export function blobPath(sha256: string): string {
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2)}`
}

/** The digest that a path of the list is of; undefined for what is no blob. */
export function digestOfPath(path: string): string | undefined {
  const [, first, rest] = /^blobs\/([0-9a-f]{2})\/([0-9a-f]{62})$/.exec(path) ?? []
  return first === undefined ? undefined : `${first}${rest}`
}

/** The size of a file in bytes; undefined where there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

/** Computes the sha256 of a file, and its size in bytes. */
export async function hashFile(
  path: string,
  signal: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    digest.update(chunk)
    size += chunk.length
  }
  return { sha256: digest.digest('hex'), size }
}
