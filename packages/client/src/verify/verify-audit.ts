import {
  AuditChain,
  type AuditEntry,
  type AuditHead,
  type RecordedCheckpoint,
  type RepoLog,
  auditText,
  readRepoLog,
  recordedCheckpoints,
  toHex,
} from '@vitrine/contract'
import {
  type Sha256 as Hash,
  TreeBuilder,
  emptyRoot,
  leafHash,
  readVerifierKey,
} from '@vitrine/transparency-log'
import { ApiError } from '../call/api-error.ts'
import { type Client, openReply } from '../call/client.ts'
import { rowsOf } from '../call/rows-of.ts'
import type { CallOptions } from '../call/send.ts'
import type { Sha256 } from '../sha256.ts'
import { type KnownLog, type LogCheck, fromHex } from './known-log.ts'
import { type LogDamage, beginLog } from './log-verifier.ts'

export type { AuditHead }

/**
 * Checks a whole audit log, oldest entry first: each is what was written, or what an erasure left of it, and follows the
 * one before.
 * @param known an entry that was seen before, and must be among them
 * @returns where it ends, or the first thing that is wrong
 */
export async function verifyAudit(
  entries: AsyncIterable<AuditEntry>,
  { sha256, known }: { sha256: Sha256; known?: AuditHead | undefined },
): Promise<{ head: AuditHead } | { fault: string }> {
  const chain = new AuditChain()
  for await (const entry of entries) {
    const digest = await sha256(new Blob([auditText(entry)]), { onProgress: () => {} })
    const fault = chain.add(entry, digest)
    if (fault !== undefined) return { fault }
    if (entry.number === known?.number && entry.hash !== known.hash) {
      return { fault: `entry ${entry.number} is not the one that was seen before` }
    }
  }
  const [fault] = chain.end()
  if (fault !== undefined) return { fault }
  const head = chain.last
  if (known !== undefined && head.number < known.number) {
    return { fault: `the log ends with entry ${head.number}, before entry ${known.number}` }
  }
  return { head }
}

export type AuditVerification = {
  sha256: Sha256
  /** An entry that was seen before. */
  entry?: AuditHead | undefined
  /** Whether the server signs its audit log. */
  isSigned: boolean
  /** The state of the log that was verified before, if one was. */
  known?: KnownLog | undefined
}

export type AuditVerified = {
  /** The last entry; undefined where they are not a chain. */
  head: AuditHead | undefined
  /**
   * Checks of the chain, and of a signed log of its place in the tree, the signature, the history, and of the
   * repositories whose checkpoints it has.
   */
  checks: LogCheck[]
  /** Log to remember; undefined where a check failed. */
  known: KnownLog | undefined
}

/**
 * Verifies the audit log of a server: that its entries are a chain, and that they are those that it signs, in a log that
 * goes on from the state that was verified before; and that the repositories go on from the checkpoints that it has.
 * @throws ApiError
 */
export async function verifyAuditLog(
  client: Client,
  { sha256, entry, isSigned, known }: AuditVerification,
  options: CallOptions = {},
): Promise<AuditVerified> {
  const { signal = new AbortController().signal } = options
  const hash = async (bytes: Uint8Array<ArrayBuffer>) =>
    fromHex(await sha256(new Blob([bytes]), { onProgress: () => {}, signal }))
  // Before the entries, which may become more meanwhile.
  const damage: LogDamage[] = []
  const onDamage = (each: LogDamage) => damage.push(each)
  const log = isSigned
    ? await beginLog(client, undefined, { hash, known, signal, onDamage })
    : undefined
  const { size = 0, root } = log ?? {}
  const tree = new TreeBuilder(hash)
  const recorded = new Map<string, RecordedLog>()
  const { body } = await openReply(client, 'auditExport', {}, options)
  const chain = await verifyAudit(read(body!), { sha256, known: entry })
  const checks: LogCheck[] = [
    'fault' in chain
      ? { name: 'entry', passed: false, text: `The audit log is not a chain: ${chain.fault}.` }
      : { name: 'entry', passed: true, text: followText(chain.head) },
  ]
  const head = 'head' in chain ? chain.head : undefined
  if (log === undefined) {
    const [unsigned] = damage
    if (unsigned !== undefined) {
      checks.push({ name: 'signature', passed: false, text: `The audit log: ${unsigned.what}.` })
    }
    return { head, checks, known: undefined }
  }
  const isIncluded =
    root !== undefined &&
    head !== undefined &&
    head.number >= size &&
    (size === 0 ? emptyRoot : toHex(await tree.root())) === toHex(root)
  checks.push(
    isIncluded
      ? {
          name: 'inclusion',
          passed: true,
          text: `The first ${size.toLocaleString('en')} are those that are signed.`,
        }
      : { name: 'inclusion', passed: false, text: 'The entries are not those that are signed.' },
    ...log.checks,
  )
  if (log.known !== undefined) {
    checks.push(await checkRecorded(client, { recorded, key: log.known.key, hash }, { signal }))
  }
  const isGood = checks.every(({ passed }) => passed !== false)
  return { head, checks, known: isGood ? log.known : undefined }

  async function* read(bytes: ReadableStream<Uint8Array>): AsyncGenerator<AuditEntry> {
    for await (const row of rowsOf(bytes)) {
      const each = row as unknown as AuditEntry
      if (each.number <= size) await tree.add(await leafHash(utf8.encode(each.hash), hash))
      followRecorded(recorded, each)
      yield each
    }
  }
}

const utf8 = new TextEncoder()

const followText = ({ number }: AuditHead) =>
  `${number.toLocaleString('en')} ${number === 1 ? 'entry follows' : 'entries follow'} from the first one on.`

/** Last checkpoint of a repository that the audit log has. */
type RecordedLog = RecordedCheckpoint & Pick<RepoLog, 'name' | 'generation'>

/** Takes up the checkpoints of an entry, by generation, and leaves out the logs that it ends. */
function followRecorded(
  recorded: Map<string, RecordedLog>,
  { what, dataset, details }: AuditEntry,
): void {
  for (const checkpoint of recordedCheckpoints(details)) {
    const log = readRepoLog(checkpoint.origin)
    if (log !== undefined) recorded.set(log.generation, { ...checkpoint, ...log })
  }
  if (what === 'log-renewed') recorded.delete(String(details?.['generation']))
  if (what !== 'dataset-deleted') return
  for (const { name, generation } of recorded.values()) {
    if (name === dataset?.name) recorded.delete(generation)
  }
}

/**
 * Checks that repositories go on from the last checkpoints that the audit log has of them, under the same origin unless an
 * entry tells that they were deleted or their logs begun anew. Those that nobody may read who asks are left out.
 */
async function checkRecorded(
  client: Client,
  { recorded, key, hash }: { recorded: ReadonlyMap<string, RecordedLog>; key: string; hash: Hash },
  { signal }: { signal: AbortSignal },
): Promise<LogCheck> {
  const name = 'repositories'
  let compared = 0
  for (const { name: repo, generation, size, root } of recorded.values()) {
    const now = await logOf(client, { repo, hash }, { signal })
    if (now === undefined) continue
    if (now.generation !== generation) {
      const text = `${repo}: It has another log than it had, and no entry tells why.`
      return { name, passed: false, text }
    }
    const damage: LogDamage[] = []
    // Without an origin, as the address of the server may be another one.
    const known = { size, root, key }
    const onDamage = (each: LogDamage) => damage.push(each)
    await beginLog(client, repo, { hash, known, signal, onDamage })
    const [first] = damage
    if (first !== undefined) {
      const { what, ...place } = first
      const checkpoints = 'log' in place ? place.checkpoints : undefined
      return { name, passed: false, text: `${repo}: ${what}`, ...(checkpoints && { checkpoints }) }
    }
    compared += 1
  }
  if (compared === 0) {
    return { name, passed: undefined, text: 'It has no checkpoint of a repository that is there.' }
  }
  const text =
    compared === 1
      ? 'A repository goes on from its last checkpoint here.'
      : `${compared.toLocaleString('en')} repositories go on from their last checkpoints here.`
  return { name, passed: true, text }
}

/** Returns which log a repository has; undefined where there is no such repository. */
async function logOf(
  client: Client,
  { repo, hash }: { repo: string; hash: Hash },
  options: CallOptions,
): Promise<RepoLog | undefined> {
  try {
    const key = await (await client.logVerifierKey({ datasetId: repo }, options)).text()
    return readRepoLog((await readVerifierKey(key.trim(), hash))?.name ?? '')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'REPO_NOT_FOUND') return undefined
    throw error
  }
}
