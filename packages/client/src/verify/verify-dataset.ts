import { type SchemaField, type ShownField, canonicalText, toHex } from '@vitrine/contract'
import type { Sha256 as Hash } from '@vitrine/transparency-log'
import type { Client } from '../call/client.ts'
import { exportDataset } from '../files/export-dataset.ts'
import type { KnownLog, LogCheck } from './known-log.ts'
import { type LogDamage, type LogVerifier, openLogVerifier } from './log-verifier.ts'
import { openMemberVerifier } from './member-verifier.ts'
import { repoOfView } from './repo-of-view.ts'
import { type Row, rowsOf } from '../call/rows-of.ts'

/** Downloads of binary values that run at once. */
const inFlight = 8

/** Damage to an item, to one of its values, or to the log: it differs from what was committed. */
export type DatasetDamage = LogDamage | { item: number; field: string; what: string }

/** A binary value of a dataset. */
export type FilePlace = { datasetId: string; itemId: number; fieldName: string }
export type ReadFile =
  { ok: true; sha256: string; size: number } | { ok: false; bytes: number; reason: string }

/** By the digest of bytes that were read before: what is wrong with them, or undefined. */
export type Seen = Map<string, Promise<string | undefined>>

/** How much was looked at. */
export type DatasetProgress = {
  items: number
  values: number
  bytes: number
  /** How many items there are, once it is known. */
  total?: number
}

export type DatasetVerified = Omit<DatasetProgress, 'total'> & {
  /** Checks of the bytes, and with a log of the entries, their place, the signature and the history. */
  checks: LogCheck[]
  /** Entries of the log; undefined where there is none, or it cannot be read. */
  entries: number | undefined
  /** The repository whose log it was, and what to remember of it; undefined where it is damaged. */
  log: { repo: string; known: KnownLog | undefined } | undefined
}

export type DatasetVerification = {
  hash: Hash
  /** Reads a file to its end, and hashes it. */
  readFile: (place: FilePlace) => Promise<ReadFile>
  /** The state to verify: how many items the repository had; of now where nothing is said. */
  at?: number | undefined
  /** Whether the server has logs. */
  hasLog: boolean
  /** Finds the state of a log that was verified before. */
  findKnown: (repo: string) => Promise<KnownLog | undefined> | KnownLog | undefined
  onDamage: (damage: DatasetDamage) => void
  onProgress?: (progress: DatasetProgress) => void
  signal: AbortSignal
  seen?: Seen
  /**
   * A file that was exported with digests as NDJSON, whose rows are verified in place of those that the server
   * has now. Of its files it has the digests alone.
   */
  exported?: AsyncIterable<Uint8Array> | undefined
}

/**
 * Reads every value of a dataset, computes its digest, and compares it with the one that it was committed with; and
 * compares the items with the log of their repository. It goes on after damage, and names each value that
 * has it; equal bytes are read once.
 * @throws ApiError when the server cannot be reached, or refuses
 */
export async function verifyDataset(
  client: Client,
  datasetId: string,
  verification: DatasetVerification,
): Promise<DatasetVerified> {
  const { hash, readFile, onDamage, onProgress, signal, exported, at } = verification
  const { seen = new Map() as Seen } = verification
  const { schema } = await client.datasetGet({ datasetId }, { signal })
  const progress: DatasetProgress = { items: 0, values: 0, bytes: 0 }
  let damaged = 0
  const { repo, log } = await openVerifier(client, datasetId, verification)
  const running = new Set<Promise<void>>()
  const checkBytes = async (place: FilePlace, sha256: string) => {
    const read = await readFile(place)
    if (!read.ok) return `cannot be read: ${read.reason}`
    progress.bytes += read.size
    if (read.sha256 === sha256) return undefined
    return `its bytes have the digest ${read.sha256}, not ${sha256}`
  }
  const check = async (row: Row, field: ShownField) => {
    const fieldName = field.name
    const value = row[fieldName]
    const sha256 = row[`${fieldName}.sha256`]
    if (value === undefined && sha256 === undefined) return
    const itemId = row['id'] as number
    const tell = (what: string) => {
      damaged += 1
      onDamage({ item: itemId, field: fieldName, what })
    }
    progress.values += 1
    if (typeof sha256 !== 'string') return tell('has no digest')
    if (value === undefined) return tell('has a digest and no value')
    if (field.type !== 'binary') {
      const text = new TextEncoder().encode(textOf(field, value))
      progress.bytes += text.length
      if (toHex(await hash(text)) !== sha256) tell(`is not what has the digest ${sha256}`)
      return
    }
    if (exported !== undefined) {
      if (value !== sha256) tell(`is not what has the digest ${sha256}`)
      return
    }
    const checked = seen.get(sha256) ?? checkBytes({ datasetId, itemId, fieldName }, sha256)
    seen.set(sha256, checked)
    const damage = await checked
    if (damage !== undefined) tell(damage)
  }
  const result = (more: Pick<DatasetVerified, 'checks' | 'entries' | 'log'>): DatasetVerified => {
    const { items, values, bytes } = progress
    const all = values.toLocaleString('en')
    const right =
      exported === undefined
        ? `Each of ${all} values has the digest that it was added with.`
        : `Each of ${all} values has the digest beside it; of files there are digests alone.`
    const own: LogCheck =
      damaged === 0
        ? { name: 'bytes', passed: true, text: right }
        : { name: 'bytes', passed: false, text: 'Values are not what was added.' }
    return { items, values, bytes, ...more, checks: [own, ...more.checks] }
  }
  try {
    const bytes =
      exported ??
      exportDataset(client, datasetId, {
        format: 'ndjson',
        integrity: true,
        at,
        signal,
        onProgress: ({ totalRows }) => (progress.total = totalRows),
      })
    for await (const row of rowsOf(bytes)) {
      signal.throwIfAborted()
      progress.items += 1
      if (exported !== undefined && progress.items === 1) requireDigests(row)
      await log?.next(row)
      for (const field of schema) {
        const checking = check(row, field).finally(() => running.delete(checking))
        running.add(checking)
      }
      while (running.size >= inFlight) await Promise.race(running)
      onProgress?.({ ...progress })
    }
    await Promise.all(running)
    const ended = await log?.end()
    return result({
      checks: ended?.checks ?? (repo === undefined ? [] : [missing]),
      entries: ended?.size,
      log: repo === undefined ? undefined : { repo, known: ended?.known },
    })
  } catch (error) {
    signal.throwIfAborted()
    // Rows cannot be read where some are missing, which was told.
    if (repo !== undefined && (log === undefined || (await log.isDamaged()))) {
      return result({ checks: [missing], entries: undefined, log: { repo, known: undefined } })
    }
    throw error
  } finally {
    await Promise.allSettled(running)
  }
}

const missing: LogCheck = {
  name: 'entry',
  passed: false,
  text: 'Items are missing that the log has.',
}

async function openVerifier(
  client: Client,
  datasetId: string,
  { hash, hasLog, findKnown, signal, onDamage, exported, at }: DatasetVerification,
): Promise<{ repo: string | undefined; log: LogVerifier | undefined }> {
  if (!hasLog) return { repo: undefined, log: undefined }
  const { repo, fields, direct } = await repoOfView(client, datasetId, { signal })
  const options = { hash, signal, onDamage, known: await findKnown(repo) }
  const log =
    direct === undefined
      ? await openLogVerifier(
          client,
          { repo, fields, at, isWhole: exported === undefined },
          options,
        )
      : await openMemberVerifier(client, { repo, direct }, options)
  return { repo, log }
}

/** @throws Error where a row has none, so that nothing of its file can be verified */
function requireDigests(row: Row): void {
  if (Object.keys(row).some((column) => column.endsWith('.sha256'))) return
  throw new Error('The file has no digests. Export the dataset as NDJSON with digests.')
}

/** The canonical text of a value; nothing where it is none of its type. */
function textOf(field: ShownField, value: unknown): string {
  try {
    return canonicalText(field as SchemaField, value as never)
  } catch {
    return ''
  }
}
