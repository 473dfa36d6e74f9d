import * as z from 'zod/mini'
import { sha256Hex } from './digest.ts'
import { person } from './replies.ts'
import { digits } from './query-text.ts'
import { isStorable, notStorable } from '../text/text.ts'
import { limits } from '../limits.ts'
import { type Json, canonicalJson, plainText } from '../values/canonical-json.ts'
import type { Call } from './call.ts'
import { readRepoLog } from './log-origin.ts'

/** Acts that an audit log records; another server may record more. */
export const auditedActs = [
  'dataset-created',
  'schema-extended',
  'import-published',
  'dataset-deleted',
  'dataset-restored',
  'dataset-removed',
  'log-renewed',
  'checkpoints-recorded',
  'role-granted',
  'role-revoked',
  'token-created',
  'token-revoked',
  'link-created',
  'link-revoked',
  'account-added',
  'password-set',
  'account-removed',
  'name-erased',
] as const
export type AuditedAct = (typeof auditedActs)[number]

/** An entry of the audit log; those that follow depend on it by its hash. */
export const auditEntry = z.object({
  /** Counted from 1 without gaps. */
  number: z.number(),
  /** ISO 8601. */
  at: z.string(),
  what: z.string(),
  /** Who did it, by the name of then; left out of what was done at the server itself. */
  by: z.optional(person),
  dataset: z.optional(
    z.object({ id: z.number(), name: z.string(), kind: z.enum(['repo', 'view']) }),
  ),
  /** Details by the kind of act. */
  details: z.optional(z.record(z.string(), z.unknown())),
  /**
   * Digests of what remains of the texts of entries that a name was erased from, by their numbers: these entries keep
   * the hash that they had.
   */
  remainders: z.optional(z.record(z.string(), sha256Hex)),
  /** The hash of the entry before; zeros of the first one. */
  previous: sha256Hex,
  /** The sha256 of the text of this entry, by `auditText`. */
  hash: sha256Hex,
})
export type AuditEntry = z.infer<typeof auditEntry>

/** Checkpoint of a repository's log that an entry `checkpoints-recorded` has. */
const recordedCheckpoint = z.object({
  origin: z.string(),
  size: z.number(),
  /** In hex. */
  root: sha256Hex,
})
export type RecordedCheckpoint = z.infer<typeof recordedCheckpoint>

const recording = z.object({ checkpoints: z.array(recordedCheckpoint) })

/** Returns the checkpoints of repositories that the details of an act have. */
export function recordedCheckpoints(details: unknown): RecordedCheckpoint[] {
  const read = recording.safeParse(details)
  return read.success ? read.data.checkpoints : []
}

/** The state that an audit log begins with. */
export const auditBeginning = { number: 0, hash: '0'.repeat(64) } as const

/** The text whose sha256 is the hash of an entry: its JSON in the form of RFC 8785, without the hash. */
export function auditText(entry: Omit<AuditEntry, 'hash'> & { hash?: string }): string {
  const { hash: _, ...hashed } = entry
  return canonicalJson(hashed as Json)
}

/** Checks the entries of an audit log, which are added oldest first. */
export class AuditChain {
  #last: AuditHead = auditBeginning
  /** Digests of the entries that are not what was written, by their numbers. */
  readonly #mismatches = new Map<number, string>()
  /** Digests of what remains of entries, by those of erasures. */
  readonly #remainders = new Map<number, string>()

  get last(): AuditHead {
    return this.#last
  }

  /**
   * Adds an entry.
   * @param digest the sha256 of its text
   * @returns what is wrong with it; undefined where that is nothing, or a later entry may say what remains of it
   */
  add(
    entry: Pick<AuditEntry, 'number' | 'previous' | 'hash' | 'remainders'>,
    digest: string,
  ): string | undefined {
    const { number, previous, hash, remainders = {} } = entry
    const before = this.#last
    this.#last = { number, hash }
    if (number > before.number + 1) return `entry ${before.number + 1} is missing`
    const follows = number === before.number + 1 && previous === before.hash
    if (!follows && digest !== hash) return isOther(number)
    if (!follows) return `entry ${number} does not follow entry ${before.number}`
    if (digest !== hash) this.#mismatches.set(number, digest)
    for (const [key, text] of Object.entries(remainders)) this.#remainders.set(Number(key), text)
    return undefined
  }

  /** Ends the log. Lists what is wrong with entries that are neither what was written nor what an erasure left of it. */
  end(): string[] {
    return [...this.#mismatches].flatMap(([number, digest]) =>
      this.#remainders.get(number) === digest ? [] : [isOther(number)],
    )
  }
}

/** Last entry of a log, which all before it depend on. */
export type AuditHead = Pick<AuditEntry, 'number' | 'hash'>

function isOther(number: number): string {
  return `entry ${number} is not what was written`
}

/** Checkpoints of an entry that are listed where it is shown as a line. */
const listedMax = 10

/**
 * Formats the details of an act as one line: `changes: title: length 200 instead of 100; new number`,
 * `checkpoints: photos@1200; people@7`.
 */
export function auditDetails({ details = {} }: Pick<AuditEntry, 'details'>): string {
  return Object.entries(details as Record<string, Json>)
    .map(([name, value]) => {
      const checkpoints = recordedCheckpoints({ [name]: value })
      const text =
        checkpoints.length > 0
          ? listCheckpoints(checkpoints)
          : Array.isArray(value)
            ? value.map(plainText).join('; ')
            : plainText(value)
      return `${name}: ${text}`
    })
    .join(', ')
}

function listCheckpoints(checkpoints: readonly RecordedCheckpoint[]): string {
  const states = checkpoints
    .slice(0, listedMax)
    .map(({ origin, size }) => `${readRepoLog(origin)?.name ?? origin}@${size}`)
  const more = checkpoints.length - states.length
  return [...states, ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

/** A moment in ISO 8601, or a day, which begins at midnight UTC. */
const moment = z
  .string()
  .check(
    z.refine(
      (text) =>
        /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) &&
        !Number.isNaN(Date.parse(text)),
      'must be a day such as 2026-11-24, or a moment such as 2026-11-24T12:00:00Z',
    ),
  )

const filters = {
  /** The subject, or the name of then, of whoever did it. */
  who: z.optional(z.string()),
  what: z.optional(z.string()),
  /** The name of then of a dataset. */
  dataset: z.optional(z.string()),
  /** From a moment on, and before one. */
  from: z.optional(moment),
  to: z.optional(moment),
}

/** Filters of an export of the audit log. */
export const auditFilters = z.strictObject(filters)
export type AuditFilters = z.output<typeof auditFilters>

/** Query of a page of the audit log, newest entries first. */
export const auditQuery = z.strictObject({
  ...filters,
  /** Lists entries before this number. */
  before: z.optional(digits(1, Number.MAX_SAFE_INTEGER)),
  pageSize: z._default(digits(1, limits.pageSizeMax), limits.pageSize),
})
export type AuditQuery = z.output<typeof auditQuery>

/** Person whose name is to be erased, by their subject. */
export const nameErasure = z.strictObject({
  subject: z.string().check(z.minLength(1), z.refine(isStorable, notStorable)),
})

/** Who asks, as the server knows it. */
export const whoami = z.object({
  ...person.shape,
  isAdministrator: z.boolean(),
  /** Whether they may create datasets; nothing is said where everybody may. */
  mayCreate: z.optional(z.boolean()),
  /** Their groups of the provider, of a server that reads them. */
  groups: z.optional(z.array(z.string())),
  /** Set where their sign-in says that they have groups, and does not list them: none of these counts. */
  groupsOmitted: z.optional(z.literal(true)),
})
export type WhoAmI = z.infer<typeof whoami>

/** The calls about the audit log of an installation (docs/audit.md). */
export const auditCalls = {
  whoAmI: {
    summary: 'Get the signed-in person, and whether they are an administrator',
    method: 'GET',
    scope: 'read',
    role: 'anyone',
    path: '/api/whoami',
    status: 200,
    reply: whoami,
    errors: [],
  },
  auditList: {
    summary: 'List entries of the audit log, newest first',
    method: 'GET',
    scope: 'manage',
    role: 'anyone',
    path: '/api/audit',
    query: auditQuery,
    status: 200,
    reply: z.array(auditEntry),
    errors: ['ADMINISTRATOR_REQUIRED'],
  },
  nameErase: {
    summary: 'Erase the name of a person, who is shown by their subject from then on',
    method: 'POST',
    scope: 'manage',
    role: 'anyone',
    path: '/api/audit/erase-name',
    body: nameErasure,
    status: 200,
    reply: z.object({
      /** Entries of the audit log that had the name. */
      entries: z.number(),
    }),
    errors: ['ADMINISTRATOR_REQUIRED', 'PERSON_NOT_FOUND', 'REQUEST_INVALID'],
  },
  auditExport: {
    summary: 'Export the audit log as NDJSON, oldest first',
    method: 'GET',
    scope: 'manage',
    role: 'anyone',
    path: '/api/audit/export',
    query: auditFilters,
    status: 200,
    reply: 'bytes',
    replyTypes: ['application/x-ndjson'],
    errors: ['ADMINISTRATOR_REQUIRED'],
  },
} as const satisfies Record<string, Call>
