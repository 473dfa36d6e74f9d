import { readRepoLog } from '@vitrine/contract'
import {
  type Sha256 as Hash,
  type VerifierKey,
  isSignedBy,
  policyText,
  readCheckpoint,
  readNote,
  readVerifierKey,
  verifierKeyText,
} from '@vitrine/transparency-log'
import {
  type BundleArchive,
  type BundledRepo,
  bundledMembers,
  bundledRepoOf,
  readBundleContents,
  UnreadableBundle,
} from './bundle-contents.ts'
import { logKeyOf } from './known-log.ts'
import type { IdSet } from './id-set.ts'
import { type RepoVerification, verifyBundledRepo } from './verify-bundled-repo.ts'

/** Damage to something of a bundle, and to which of its datasets, where it is of one. */
export type BundleDamage = { dataset?: string } & (
  { item: number; field?: string } | { file: string } | { log: string }
) & { what: string }

export type BundleVerified = {
  dataset: string
  at: number
  /** The verifier key by which the logs are signed. */
  key: string
  items: number
  values: number
  files: number
  bytes: number
  /** The entries of its logs. */
  entries: number
}

export type BundleVerification = {
  hash: Hash
  /** Reads a file to its end, and hashes it. */
  hashFile: (bytes: AsyncIterable<Uint8Array>) => Promise<{ sha256: string; size: number }>
  /** The verifier key that has to have signed; otherwise that of the bundle. */
  key?: string | undefined
  onDamage: (damage: BundleDamage) => void
  onProgress?: (done: { items: number; bytes: number }) => void
  signal: AbortSignal
}

/**
 * Verifies a bundle without a server: that every value has its digest, every item its entry, every log the root that its
 * checkpoint says, every checkpoint the signature of the key, and that all is there that items refer to. It goes on after
 * damage, and names what has it. Descriptions are in no log: of them nothing is proven.
 * @throws UnreadableBundle
 */
export async function verifyBundle(
  archive: BundleArchive,
  { hash, hashFile, key: verifierKey, onDamage, onProgress, signal }: BundleVerification,
): Promise<BundleVerified> {
  const contents = await readBundleContents(archive)
  const keyText = verifierKey ?? contents.key
  const key = await readVerifierKey(keyText, hash)
  if (key === undefined) throw new UnreadableBundle(`${keyText} is no verifier key`)
  const done = { items: 0, values: 0, files: 0, bytes: 0, entries: 0 }
  const ids = new Map<string, IdSet>()
  const files = new Map<string, Place>()
  const own = bundledRepoOf(contents, contents.dataset)
  for (const repo of contents.datasets) {
    if (repo.kind === 'view') continue
    const dataset = repo.description.name
    const tell = (damage: BundleDamage) => onDamage({ dataset, ...damage })
    const tellLog = (what: string) => tell({ log: dataset, what })
    const root = await signedRoot(archive, repo, { key, hash }, tellLog)
    const verification: RepoVerification = {
      hash,
      root,
      leads: (target, id, soFar) => {
        const { name } = bundledRepoOf(contents, target).description
        return (name === dataset ? soFar : ids.get(name)!).has(id)
      },
      onFile: (sha256, place) => {
        if (!files.has(sha256)) files.set(sha256, { dataset, ...place })
      },
      onDamage: tell,
      onItem: (values, bytes) => {
        done.items += 1
        done.values += values
        done.bytes += bytes
        onProgress?.(done)
      },
      signal,
    }
    const verified = await verifyBundledRepo(archive, repo, verification)
    ids.set(dataset, verified.ids)
    done.entries += repo.size
    const isWhole = verified.omitted === 0 && repo.size === contents.at
    if (dataset === contents.dataset && !isWhole) {
      tell({ log: dataset, what: `the bundle has not all of its ${contents.at} items` })
    }
  }
  if (own.description.name !== contents.dataset) {
    await verifyMembers(archive, ids.get(own.description.name)!, (damage) =>
      onDamage({ dataset: contents.dataset, ...damage }),
    )
  }
  for (const [sha256, place] of files) {
    signal.throwIfAborted()
    done.files += 1
    done.bytes += await verifyBundledFile(archive, sha256, {
      hashFile,
      onDamage: (what) => onDamage({ ...place, what }),
    })
    onProgress?.(done)
  }
  return { dataset: contents.dataset, at: contents.at, key: keyText, ...done }
}

type Place = { dataset: string; item: number; field: string }

/** The root of a log, as its checkpoint has it, which has to be signed by the key. */
async function signedRoot(
  archive: BundleArchive,
  { description: { name }, size, checkpoint }: BundledRepo,
  { key, hash }: { key: VerifierKey; hash: Hash },
  tell: (what: string) => void,
): Promise<Uint8Array | undefined> {
  const note = readNote(checkpoint)
  const read = note && readCheckpoint(note.text)
  if (note === undefined || read === undefined) {
    tell('its checkpoint cannot be read')
    return undefined
  }
  const signer = await bundleSigner(key, { origin: read.origin, name, hash })
  if (signer === undefined) {
    tell(`its checkpoint is that of another log: ${read.origin}`)
  } else if (!(await isSignedBy(note, signer))) {
    tell(`its checkpoint is not signed by the key ${verifierKeyText(key)}`)
  } else if (read.size !== size) {
    tell(`its checkpoint is of ${read.size} entries, not of ${size}`)
  } else {
    await checkPolicy(archive, { name, signer }, tell)
  }
  return read.root
}

/** Checks the policy by which other programs verify a log; bundles of before have none. */
async function checkPolicy(
  archive: BundleArchive,
  { name, signer }: { name: string; signer: VerifierKey },
  tell: (what: string) => void,
): Promise<void> {
  const expected = policyText(verifierKeyText(signer))
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of await archive.open(`tlog-policy/${name}`)) {
      text += decoder.decode(piece, { stream: true })
      if (text.length > expected.length) break
    }
  } catch {
    return
  }
  if (text !== expected) tell('its tlog-policy has another key')
}

/**
 * Returns the key that signs for the log of a bundled repository. In bundles from before origins had a generation the
 * key has one name for all logs.
 * @returns undefined where the origin is that of another log
 */
async function bundleSigner(
  installation: VerifierKey,
  { origin, name, hash }: { origin: string; name: string; hash?: Hash },
): Promise<VerifierKey | undefined> {
  if (origin === `${installation.name}/repo/${name}`) return installation
  return readRepoLog(origin)?.name === name ? logKeyOf(installation, origin, hash) : undefined
}

/** Returns the verifier key of the log of a bundled repository, by that of its installation. */
export async function bundledLogKey(
  installation: string,
  { description: { name }, checkpoint }: BundledRepo,
): Promise<string | undefined> {
  const key = await readVerifierKey(installation)
  const note = readNote(checkpoint)
  const origin = note && readCheckpoint(note.text)?.origin
  if (key === undefined || origin === undefined) return undefined
  const signer = await bundleSigner(key, { origin, name })
  return signer && verifierKeyText(signer)
}

/** Checks that the items of a view are in the bundle. */
async function verifyMembers(
  archive: BundleArchive,
  ids: IdSet,
  onDamage: (damage: BundleDamage) => void,
): Promise<void> {
  for await (const id of bundledMembers(archive)) {
    if (!ids.has(id)) onDamage({ item: id, what: 'is not in the bundle' })
  }
}

/** Reads a file, and says what is wrong with it; returns its size. */
async function verifyBundledFile(
  archive: BundleArchive,
  sha256: string,
  {
    hashFile,
    onDamage,
  }: Pick<BundleVerification, 'hashFile'> & { onDamage: (what: string) => void },
): Promise<number> {
  try {
    const read = await hashFile(await archive.open(`files/${sha256}`))
    if (read.sha256 !== sha256) onDamage(`its bytes have the digest ${read.sha256}, not ${sha256}`)
    return read.size
  } catch (error) {
    onDamage(`its file cannot be read: ${(error as Error).message}`)
    return 0
  }
}
