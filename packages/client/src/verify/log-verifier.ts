import { type ErrorCode, toHex } from '@vitrine/contract'
import { type Sha256 as Hash, type SealedValue, sealText } from '@vitrine/transparency-log'
import { ApiError } from '../call/api-error.ts'
import type { Client } from '../call/client.ts'
import {
  type ConflictingCheckpoints,
  type KnownLog,
  type LogCheck,
  checkCheckpoint,
} from './known-log.ts'
import { differingEntries, logEntries } from './log-entries.ts'
import type { Row } from '../call/rows-of.ts'

/** Damage to an item, or to the log of a repository: it differs from what was committed. */
export type LogDamage = (
  { item: number } | { log: string; checkpoints?: ConflictingCheckpoints }
) & { what: string }

export type LogVerifierOptions = {
  hash: Hash
  /** The state that was verified before, if one was. */
  known: KnownLog | undefined
  signal: AbortSignal
  onDamage: (damage: LogDamage) => void
}

/** Result of verifying rows against a log. */
type LogVerified = {
  /** Checks of the entries, their place in the log, the log's signature, and its history. */
  checks: LogCheck[]
  /** Entries of the log. */
  size: number
  /** Log to remember; undefined where anything was damaged. */
  known: KnownLog | undefined
}

/** Compares rows of an export with digests, one after the other, with the log of the repository that has their items. */
export type LogVerifier = {
  next: (row: Row) => Promise<void>
  /** Once there are no more rows. */
  end: () => Promise<LogVerified>
  /** Whether the log has shown damage, which may be why rows cannot be read; looks at all of it. */
  isDamaged: () => Promise<boolean>
}

/**
 * Begins to compare a repository with its log: that the log is signed, goes on from the state that was
 * verified before, and has every item with the digests that it is shown with. What was added since the log
 * was asked for is left to the next time. Undefined where the log itself cannot be read.
 * @param isWhole whether the rows are all there is; otherwise items may have been added after them
 * @param at how many items the rows are, where they are those of a state
 * @throws ApiError
 */
export async function openLogVerifier(
  client: Client,
  {
    repo,
    fields,
    isWhole,
    at,
  }: { repo: string; fields: readonly string[]; isWhole: boolean; at?: number | undefined },
  options: LogVerifierOptions,
): Promise<LogVerifier | undefined> {
  const { hash, signal, onDamage } = options
  const begun = await beginLog(client, repo, options)
  if (begun === undefined) return undefined
  const { size, root } = begun
  const entries = logEntries(client, repo, { size, hash }, { signal })
  let damaged = 0
  const tell = (item: number, what: string) => {
    damaged += 1
    onDamage({ item, what })
  }
  const tellMissing = () => {
    damaged += 1
    onDamage({ log: repo, what: `entry ${index} has no item` })
  }
  let index = 0
  let next = await entries.next()
  const take = async () => {
    index += 1
    next = await entries.next()
  }
  const passMissing = async (upTo: number, end = Infinity) => {
    const isWithin = () => next.done !== true && (next.value?.id ?? 0) < upTo && index < end
    while (isWithin()) {
      if (next.done === true) return
      if (next.value === undefined) tellMissing()
      else tell(next.value.id, 'is in the log alone')
      await take()
    }
  }
  const passLater = async () => {
    while (next.done !== true) {
      if (next.value === undefined) tellMissing()
      await take()
    }
  }
  const isOfRoot = () =>
    next.done === true && root !== undefined && toHex(next.value) === toHex(root)
  return {
    next: async (row) => {
      const id = Number(row['id'])
      await passMissing(id)
      if (next.done === true) return
      const entry = next.value
      if (entry?.id !== id) {
        tell(id, 'is not in the log')
        return
      }
      if (entry.seal !== (await sealOfRow(row, fields, hash))) {
        tell(id, 'is not what its entry in the log says')
      } else if (entry.createdAt !== row['createdAt']) {
        tell(id, 'was not added when its entry in the log says')
      }
      await take()
    },
    isDamaged: async () => {
      await passLater()
      return damaged > 0 || !begun.isTrusted
    },
    end: async () => {
      if (isWhole) await passMissing(Infinity, at)
      await passLater()
      const isIncluded = isOfRoot()
      const differing = damaged
      if (!isIncluded && root !== undefined) {
        for await (const item of differingEntries(client, { repo, size, hash }, { signal })) {
          tell(item, 'is not what its entry in the log was made of')
        }
        onDamage({ log: repo, what: 'its entries are not those that the checkpoint is signed for' })
      }
      return {
        checks: [
          differing === 0
            ? { name: 'entry', passed: true, text: 'Every item has its entry, with its digests.' }
            : {
                name: 'entry',
                passed: false,
                text: 'Items and entries of the log do not fit each other.',
              },
          isIncluded
            ? {
                name: 'inclusion',
                passed: true,
                text: `The log has ${size.toLocaleString('en')} entries, and these are they.`,
              }
            : {
                name: 'inclusion',
                passed: false,
                text: 'The entries are not those that the checkpoint is signed for.',
              },
          ...begun.checks,
        ],
        size,
        known: damaged === 0 && isIncluded ? begun.known : undefined,
      }
    },
  }
}

/**
 * Reads and checks the checkpoint of now; undefined where the server cannot sign one.
 * @param repo the repository whose log it is; undefined for the audit log
 */
export async function beginLog(
  client: Client,
  repo: string | undefined,
  { hash, known, signal, onDamage }: LogVerifierOptions,
): Promise<
  | {
      size: number
      root: Uint8Array | undefined
      checks: LogCheck[]
      known: KnownLog | undefined
      isTrusted: boolean
    }
  | undefined
> {
  const note = await readNote(client, repo, { signal, onDamage })
  if (note === undefined) return undefined
  const checked = await checkCheckpoint(client, repo, { note, known, hash }, { signal })
  for (const { passed, text, checkpoints } of checked.checks) {
    if (passed !== false) continue
    onDamage({ log: repo ?? 'audit', what: text, ...(checkpoints && { checkpoints }) })
  }
  const { size = 0, root } = checked.checkpoint ?? {}
  const isTrusted = checked.known !== undefined
  return { size, root, checks: checked.checks, known: checked.known, isTrusted }
}

async function readNote(
  client: Client,
  repo: string | undefined,
  { signal, onDamage }: Pick<LogVerifierOptions, 'signal' | 'onDamage'>,
): Promise<string | undefined> {
  try {
    const note =
      repo === undefined
        ? client.auditCheckpoint({}, { signal })
        : client.logCheckpoint({ datasetId: repo }, { signal })
    return await (await note).text()
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined
    const what = code && unsigned(repo === undefined ? 'entries' : 'items')[code]
    if (what === undefined) throw error
    onDamage({ log: repo ?? 'audit', what })
    return undefined
  }
}

/** Reasons for which a server has no checkpoint of a log. */
const unsigned = (unit: 'items' | 'entries'): Partial<Record<ErrorCode, string>> => ({
  LOG_DAMAGED: `${unit} are missing that it has`,
  LOG_NOT_SIGNED: 'the server does not sign it, as it is not what was signed before',
})

/** The seal of an item by the digests of a row, in hex. */
export async function sealOfRow(row: Row, fields: readonly string[], hash: Hash): Promise<string> {
  const values = fields.flatMap((field): SealedValue[] => {
    const [sha256, mime] = [row[`${field}.sha256`], row[`${field}.mime`]]
    if (typeof sha256 !== 'string') return []
    return [{ field, sha256, ...(typeof mime === 'string' && { mime }) }]
  })
  return toHex(await hash(new TextEncoder().encode(sealText(values))))
}
