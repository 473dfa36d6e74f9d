import { hash } from 'node:crypto'
import {
  auditText,
  type AuditedAct,
  type AuditEntry,
  type AuditFilters,
  type Json,
  canonicalJson,
  limits,
} from '@vitrine/contract'
import { type Selectable, sql } from 'kysely'
import { contains, rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import { findPerson, recordPerson, type PersonRecord } from './people.ts'
import type { Db, Transaction } from './store.ts'
import type { Tables } from './tables.ts'

/** Act to be recorded in the audit log. */
export type Audited = {
  what: AuditedAct
  /** Left out of what was done at the server itself. */
  by?: PersonRecord
  dataset?: { id: number; name: string; kind: 'repo' | 'view' }
  details?: Record<string, Json>
  /** Digests of what remains of entries, by their numbers. */
  remainders?: Record<string, string>
}

/**
 * Adds an entry to the audit log, in the transaction of what it tells of. It is to be the last thing that the
 * transaction does: until that ends, others wait who have an entry to add, as each follows the one before.
 */
export async function writeAudit(
  transaction: Transaction,
  { what, by, dataset, details, remainders }: Audited,
): Promise<void> {
  if (by !== undefined) await recordPerson(transaction, by)
  const head = await holdAudit(transaction)
  // Read now, as the name may have been erased while others had the log.
  const person = by && (await findPerson(transaction, by.key))
  const number = head.number + 1
  // A clock may be set back.
  const at = Math.max(head.now, head.at)
  const entry = auditText({
    number,
    at: new Date(at).toISOString(),
    what,
    ...(person && { by: person }),
    ...(dataset && {
      dataset: { id: dataset.id, name: dataset.name, kind: dataset.kind },
    }),
    ...(details && { details }),
    ...(remainders && { remainders }),
    previous: head.hash,
  })
  const digest = hash('sha256', entry)
  await transaction
    .insertInto('audit_log')
    .values({
      number,
      at,
      what,
      subject: person?.subject ?? null,
      name: person?.name ?? null,
      dataset_id: dataset?.id ?? null,
      dataset: dataset?.name ?? null,
      entry,
      hash: digest,
    })
    .execute()
  await transaction.updateTable('audit_head').set({ number, at, hash: digest }).execute()
}

/** Reads the head of the audit log, and has others wait until the transaction ends who have an entry to add. */
export function holdAudit(transaction: Transaction) {
  return transaction
    .selectFrom('audit_head')
    .select(['number', 'at', 'hash', now.as('now')])
    .modifyEnd(rowLock('change'))
    .executeTakeFirstOrThrow()
}

/** Acts on accounts, whose names are those that people sign in by. */
const accountActs: readonly AuditedAct[] = ['account-added', 'password-set', 'account-removed']

/** Entries read at once. */
const entriesAtOnce = 500

/**
 * Erases the names of a person from entries, which keep their hashes.
 * @param names what they were called at last
 * @returns the number of each entry and the digest of what remains of it
 */
export async function eraseFromAudit(
  transaction: Transaction,
  { subject, names }: { subject: string; names: readonly string[] },
): Promise<[number: string, digest: string][]> {
  const remainders: [string, string][] = []
  for (let after = 0; ;) {
    const rows = await transaction
      .selectFrom('audit_log')
      .select(['number', 'entry'])
      .where('number', '>', after)
      .where(({ or, and, eb }) =>
        or([
          eb('subject', '=', subject),
          hasPart(`"subject":${JSON.stringify(subject)}`),
          ...names.map((name) =>
            and([eb('what', 'in', accountActs), hasPart(`"account":${JSON.stringify(name)}`)]),
          ),
        ]),
      )
      .orderBy('number')
      .limit(entriesAtOnce)
      .execute()
    for (const { number, entry: text } of rows) {
      const entry = canonicalJson(withoutName(JSON.parse(text), { subject, names }))
      if (entry === text) continue
      const isTheirs = (JSON.parse(entry) as AuditEntry).by?.subject === subject
      await transaction
        .updateTable('audit_log')
        .set({ entry, ...(isTheirs && { name: null }) })
        .where('number', '=', number)
        .execute()
      remainders.push([String(number), hash('sha256', entry)])
    }
    if (rows.length < entriesAtOnce) return remainders
    after = rows.at(-1)!.number
  }
}

const hasPart = (part: string) => sql<boolean>`${contains(sql.ref('entry'), part)}`

function withoutName(
  { by, details, ...entry }: Omit<AuditEntry, 'hash'>,
  { subject, names }: { subject: string; names: readonly string[] },
): Json {
  return {
    ...entry,
    ...(by && { by: by.subject === subject ? { subject } : by }),
    ...(details && { details: detailsWithoutName(details, { subject, names }) }),
  } as Json
}

/** Puts the subject in the place of the name of who was given a role, or of an account. */
function detailsWithoutName(
  details: Record<string, unknown>,
  { subject, names }: { subject: string; names: readonly string[] },
): Record<string, unknown> {
  const { subject: owner, ...named } = details
  const { account } = named
  const isTheirs =
    owner === subject ||
    (owner === undefined && typeof account === 'string' && names.includes(account))
  if (!isTheirs) return details
  if ('to' in named) return { ...named, to: subject }
  return 'account' in named ? { ...named, account: subject } : details
}

type Row = { entry: string; hash: string }

const toEntry = ({ entry, hash }: Row): AuditEntry => ({ ...JSON.parse(entry), hash })

function select(db: Db, { who, what, dataset, from, to }: AuditFilters) {
  return db
    .selectFrom('audit_log')
    .select(['entry', 'hash'])
    .$if(who !== undefined, (query) =>
      query.where(({ or, eb }) => or([eb('subject', '=', who!), eb('name', '=', who!)])),
    )
    .$if(what !== undefined, (query) => query.where('what', '=', what!))
    .$if(dataset !== undefined, (query) => query.where('dataset', '=', dataset!))
    .$if(from !== undefined, (query) => query.where('at', '>=', Date.parse(from!)))
    .$if(to !== undefined, (query) => query.where('at', '<', Date.parse(to!)))
}

/** Lists entries, newest first. */
export async function listAudit(
  db: Db,
  {
    before,
    pageSize,
    ...filters
  }: AuditFilters & { before?: number | undefined; pageSize: number },
): Promise<AuditEntry[]> {
  const rows = await select(db, filters)
    .$if(before !== undefined, (query) => query.where('number', '<', before!))
    .orderBy('number', 'desc')
    .limit(pageSize)
    .execute()
  return rows.map(toEntry)
}

/** Lists entries after one, oldest first. */
export async function listAuditAfter(
  db: Db,
  { after, limit, ...filters }: AuditFilters & { after: number; limit: number },
): Promise<AuditEntry[]> {
  const rows = await select(db, filters)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

/** Lists what was done to a dataset that is there, newest first. */
export async function listChanges(
  db: Db,
  { datasetId, page, pageSize }: { datasetId: number; page: number; pageSize: number },
): Promise<AuditEntry[]> {
  const rows = await select(db, {})
    .where('dataset_id', '=', datasetId)
    .where('what', '!=', 'dataset-created')
    .orderBy('number', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return rows.map(toEntry)
}

/** Lists the extensions of a repository from one moment to another, which is left out, newest first. */
export async function listExtensions(
  db: Db,
  repoId: number,
  { from, to }: { from: string | undefined; to: string | undefined },
): Promise<AuditEntry[]> {
  const rows = await select(db, { what: 'schema-extended', from, to })
    .where('dataset_id', '=', repoId)
    .orderBy('number', 'desc')
    .limit(limits.pageSizeMax)
    .execute()
  return rows.map(toEntry)
}

/** Lists the rows of entries after one, oldest first, with the columns that are searched. */
export function listAuditRows(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<Selectable<Tables['audit_log']>[]> {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Lists the hashes of entries, of which the first has the index 0. */
export async function listAuditHashes(
  db: Db,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('hash')
    .where('number', '>', from)
    .where('number', '<=', to)
    .orderBy('number')
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Reads the number and the hash of the last entry, and the generation of the log. */
export function readAuditHead(
  db: Db,
): Promise<Pick<Selectable<Tables['audit_head']>, 'number' | 'hash' | 'generation'>> {
  return db
    .selectFrom('audit_head')
    .select(['number', 'hash', 'generation'])
    .executeTakeFirstOrThrow()
}
