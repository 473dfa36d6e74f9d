import {
  type Checkpoint,
  type Sha256 as Hash,
  type VerifierKey,
  checkpointText,
  emptyRoot,
  isSignedBy,
  makeVerifierKey,
  readCheckpoint,
  readNote,
  readVerifierKey,
  rootsByConsistency,
} from '@vitrine/transparency-log'
import { readAuditLog, readRepoLog, toHex } from '@vitrine/contract'
import type { Client } from '../call/client.ts'
import type { CallOptions } from '../call/send.ts'

/** The state of a log that was verified, to be compared with what is shown later. */
export type KnownLog = {
  /** Origin of its checkpoint; absent of a state from before origins had a generation. */
  origin?: string | undefined
  size: number
  /** In hex. */
  root: string
  /** The key of the installation that signed it. */
  key: string
  /** The signed checkpoint; absent of a state from before it was kept. */
  note?: string | undefined
}

/** Two checkpoints of a log that do not go together, as whoever is told of it can show them to others. */
export type ConflictingCheckpoints = {
  /** The one that was verified before; without a signature where that was not kept. */
  before: string
  now: string
}

/** The outcome of one check; undefined where there is nothing to compare with, or no means to. */
export type LogCheck = {
  name: 'bytes' | 'entry' | 'inclusion' | 'signature' | 'consistency' | 'repositories'
  passed: boolean | undefined
  /** The outcome as a sentence. */
  text: string
  /** Evidence of a history that does not go on from what was verified before. */
  checkpoints?: ConflictingCheckpoints
}

export type CheckpointChecks = {
  /** Undefined where what the server sent is no checkpoint. */
  checkpoint: Checkpoint | undefined
  checks: LogCheck[]
  /** Log to remember; undefined where a check failed. */
  known: KnownLog | undefined
}

const outcome = (name: LogCheck['name'], passed: boolean | undefined, text: string): LogCheck => ({
  name,
  passed,
  text,
})

/**
 * Checks that a checkpoint is of a log, who has signed it, and that the log goes on from the state that was verified
 * before.
 * @param repo the repository whose log it is; undefined for the audit log
 * @param note the signed note, as the server sent it
 * @throws ApiError
 */
export async function checkCheckpoint(
  client: Client,
  repo: string | undefined,
  { note, known, hash }: { note: string; known: KnownLog | undefined; hash: Hash },
  options: CallOptions = {},
): Promise<CheckpointChecks> {
  const key = (await (await client.logKey({}, options)).text()).trim()
  const installation = await readVerifierKey(key, hash)
  const signed = readNote(note)
  const checkpoint = signed && readCheckpoint(signed.text)
  if (installation === undefined || signed === undefined || checkpoint === undefined) {
    const text = 'The server sent no signed checkpoint.'
    return { checkpoint: undefined, checks: [outcome('signature', false, text)], known: undefined }
  }
  const { origin } = checkpoint
  const verifier = await logKeyOf(installation, origin, hash)
  const isNamed =
    repo === undefined ? readAuditLog(origin) !== undefined : readRepoLog(origin)?.name === repo
  const isOfLog = verifier !== undefined && isNamed
  const isSigned = isOfLog && (await isSignedBy(signed, verifier).catch(() => undefined))
  const signature = !isOfLog
    ? outcome('signature', false, `The checkpoint is that of another log: ${origin}.`)
    : isSigned === undefined
      ? outcome('signature', undefined, 'Signatures with Ed25519 cannot be verified here.')
      : isSigned
        ? outcome('signature', true, `Signed by ${verifier.name}.`)
        : outcome('signature', false, 'The checkpoint is not signed by the key of the server.')
  const consistency =
    signature.passed === false
      ? outcome('consistency', undefined, 'Not compared, as nobody has signed it.')
      : await checkConsistency(
          client,
          repo,
          { note, checkpoint, installation, known, hash },
          options,
        )
  const checks = [signature, consistency]
  const isTrusted = checks.every(({ passed }) => passed !== false)
  const { size, root } = checkpoint
  return {
    checkpoint,
    checks,
    known: isTrusted ? { origin, size, root: toHex(root), key, note } : undefined,
  }
}

/**
 * Returns the key that signs for the origin of a log: the one of that name, or that of its installation under this
 * name.
 * @returns undefined where the key is of another log or installation
 */
export async function logKeyOf(
  key: VerifierKey,
  origin: string,
  hash?: Hash,
): Promise<VerifierKey | undefined> {
  if (key.name === origin) return key
  const log = readRepoLog(origin) ?? readAuditLog(origin)
  if (log?.installation !== key.name) return undefined
  return makeVerifierKey({ ...key, name: origin }, hash)
}

async function checkConsistency(
  client: Client,
  repo: string | undefined,
  {
    note,
    checkpoint: { origin, size, root },
    installation,
    known,
    hash,
  }: {
    note: string
    checkpoint: Checkpoint
    installation: VerifierKey
    known: KnownLog | undefined
    hash: Hash
  },
  options: CallOptions,
): Promise<LogCheck> {
  if (known === undefined) {
    return outcome(
      'consistency',
      undefined,
      'No earlier state was verified here. This one is remembered.',
    )
  }
  const refused = (text: string): LogCheck => ({
    ...outcome('consistency', false, text),
    checkpoints: { before: known.note ?? unsignedNote(repo, known), now: note },
  })
  const unit = repo === undefined ? 'entries' : 'items'
  const before = `the state with ${known.size.toLocaleString('en')} ${unit} that was verified before`
  const key = await readVerifierKey(known.key, hash)
  // Its name has not always been the origin of a log.
  if (key === undefined || toHex(key.publicKey) !== toHex(installation.publicKey)) {
    return refused(`The log has another key than ${before}.`)
  }
  if (known.origin !== undefined && known.origin !== origin) {
    return refused(
      `This is another log than that of ${before}: ${origin}, not ${known.origin}. ` +
        (repo === undefined
          ? 'It was begun anew, or another is shown in its place.'
          : 'The repository was deleted and created again, or another is shown in its place.'),
    )
  }
  if (size < known.size) {
    return refused(
      `The log is shorter than ${before}: ${unit} were removed, or an old state is shown.`,
    )
  }
  const proven = await provenRoots(client, repo, { known, size, hash, now: toHex(root) }, options)
  if (proven.before !== known.root || proven.now !== toHex(root)) {
    return refused(`The log is not a continuation of ${before}: its history was rewritten.`)
  }
  return outcome('consistency', true, `The log goes on from ${before}.`)
}

/** Writes what is known of a state whose signature was not kept, as its checkpoint was. */
function unsignedNote(repo = 'audit', { origin = repo, size, root }: KnownLog): string {
  return checkpointText({ origin, size, root: fromHex(root) })
}

/** The roots before and now, in hex, as the server's proof has them. */
async function provenRoots(
  client: Client,
  repo: string | undefined,
  { known, size, hash, now }: { known: KnownLog; size: number; hash: Hash; now: string },
  options: CallOptions,
): Promise<{ before: string; now: string }> {
  if (known.size === 0) return { before: emptyRoot, now: size === 0 ? emptyRoot : now }
  if (known.size === size) return { before: now, now }
  const range = { from: known.size, to: size }
  const { hashes } =
    repo === undefined
      ? await client.auditConsistency(range, options)
      : await client.logConsistency({ datasetId: repo, ...range }, options)
  const proof = { before: known.size, size, root: fromHex(known.root), hashes: hashes.map(fromHex) }
  try {
    const roots = await rootsByConsistency(proof, hash)
    return { before: toHex(roots.before), now: toHex(roots.now) }
  } catch {
    return { before: '', now: '' }
  }
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
