import type { Blobs } from '../../blobs/blobs.ts'
import { copyBlob, DamagedBlob } from '../../blobs/read-blob.ts'
import { openBlobs } from '../../blobs/open-blobs.ts'
import { requireOwnBlobs } from '../../blobs/require-own-blobs.ts'
import { type Config, ConfigError } from '../../config.ts'
import { listKnownBlobs } from '../../store/blobs.ts'
import {
  type CopiedBlob,
  appendRows,
  blobsOf,
  copyDatasets,
  CopyError,
  countCopied,
  readRows,
} from '../../store/copy-rows.ts'
import { listGenerations } from '../../store/generations.ts'
import {
  claimInstallation,
  findInstallation,
  keepsCheckpoints,
  noteCheckpoints,
} from '../../store/installation.ts'
import { lockInstallation } from '../../store/lock.ts'
import { type Store, openStore } from '../../store/store.ts'
import { InvalidDatabase } from '../../store/invalid-database.ts'

export { CopyError } from '../../store/copy-rows.ts'

const rowsAtOnce = 200
const blobsAtOnce = 8

type Place = Pick<Config, 'database' | 'blobs' | 'dataDir'>
type Installation = { store: Store; blobs: Blobs }

export type Copied = { items: number; blobs: number }
export type ShowCopied = (repo: string, items: { done: number; total: number }) => void

/**
 * Copies an installation: every committed item with its bytes, each checked against its digest, the
 * datasets, the accounts. Open inserts stay behind, and what views keep is built anew. What was copied
 * before is not copied again, so it may be interrupted at any moment, and run again.
 *
 * No server may work on either.
 * @throws CopyError, ConfigError, in sentences for the person who copies
 */
export async function copyInstallation(
  { from, to }: { from: Place; to: Place },
  show: ShowCopied = () => {},
): Promise<Copied> {
  await using opened = new AsyncDisposableStack()
  const lock = lockInstallation(from)
  if (lock === undefined) {
    throw new CopyError(`A server works on ${from.dataDir}: stop it, and copy then.`)
  }
  opened.defer(lock.release)
  const source = await open(from, opened)
  const target = await open(to, opened)
  await claimTarget(source, target, to)
  const repos = await copyDatasets(source.store.reads, target.store)
  const copied = { items: 0, blobs: 0 }
  for (const repo of repos) {
    let position = await countCopied(target.store.reads, repo)
    show(repo.name, { done: position, total: repo.count })
    while (position < repo.count) {
      const rows = await readRows(source.store.reads, repo, { position, limit: rowsAtOnce })
      const held = rows.flatMap((row) => blobsOf(repo, row))
      copied.blobs += await copyBlobs(source, target, held)
      await appendRows(target.store, repo, rows)
      position += rows.length
      copied.items += rows.length
      show(repo.name, { done: position, total: repo.count })
    }
  }
  await copyCheckpoints(source, target)
  return copied
}

/** Copies what was signed last of each log, as the target signs with the same key. */
async function copyCheckpoints(source: Installation, target: Installation): Promise<void> {
  if (!(await keepsCheckpoints(source.store.reads))) return
  const [from, to] = [source.blobs.checkpoints, target.blobs.checkpoints]
  // Where the source has lost them, the target lacks them too.
  if (await from.isThere()) {
    await to.create()
    for (const log of await listGenerations(target.store.reads)) {
      const last = await from.find(log)
      const there = await to.find(log)
      if (last !== undefined && last.size > (there?.size ?? -1)) await to.replace(log, there, last)
    }
  }
  await noteCheckpoints(target.store)
}

async function open(place: Place, opened: AsyncDisposableStack): Promise<Installation> {
  const store = await openStore(place).catch((error: unknown) => {
    if (!(error instanceof InvalidDatabase)) throw error
    throw new ConfigError(error.message)
  })
  opened.defer(store.close)
  return { store, blobs: await openBlobs(place) }
}

/**
 * Gives the target an id of its own, as the source stays as it is and may go on. Only where the files stay
 * in their place, and the rows move, the id stays as well.
 */
async function claimTarget(source: Installation, target: Installation, to: Place): Promise<void> {
  const id = await findInstallation(source.store.reads)
  if (id !== undefined && (await target.blobs.owner.read()) === id) {
    await claimInstallation(target.store, id)
  }
  await requireOwnBlobs(target, to.blobs)
}

/** Copies the bytes that the target does not have, some at a time; returns how many blobs that were. */
async function copyBlobs(
  source: Installation,
  target: Installation,
  held: CopiedBlob[],
): Promise<number> {
  const wanted = new Map(held.map((blob) => [blob.sha256, blob]))
  if (wanted.size === 0) return 0
  const recorded = await listKnownBlobs(target.store.reads, [...wanted.keys()])
  const missing = [...wanted.values()].filter(({ sha256 }) => !recorded.has(sha256))
  const left = missing.values()
  const copyOn = async () => {
    for (const blob of left) {
      await copyBlob(() => source.blobs.open(blob), target.blobs, blob)
    }
  }
  try {
    await Promise.all(Array.from({ length: blobsAtOnce }, copyOn))
  } catch (error) {
    throw error instanceof DamagedBlob ? new CopyError(error.message, { cause: error }) : error
  }
  return missing.length
}
