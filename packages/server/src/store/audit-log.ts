import { hash } from 'node:crypto'
import {
  auditText,
  type AuditedAct,
  type AuditEntry,
  type AuditFilters,
  type Json,
} from '@vitrine/contract'
import type { Selectable } from 'kysely'
import { rowLock } from './expressions.ts'
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
}

/**
 * Adds an entry to the audit log, in the transaction of what it tells of. It is to be the last thing that the
 * transaction does: until that ends, others wait who have an entry to add, as each follows the one before.
 */
export async function writeAudit(
  transaction: Transaction,
  { what, by, dataset, details }: Audited,
): Promise<void> {
  if (by !== undefined) await recordPerson(transaction, by)
  const person = by && (await findPerson(transaction, by.key))
  const head = await transaction
    .selectFrom('audit_head')
    .select(['number', 'at', 'hash', now.as('now')])
    .modifyEnd(rowLock('change'))
    .executeTakeFirstOrThrow()
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

/** Reads the number and the digest of the last entry; undefined where no log was begun. */
export function readAuditHead(db: Db): Promise<Pick<AuditEntry, 'number' | 'hash'> | undefined> {
  return db.selectFrom('audit_head').select(['number', 'hash']).executeTakeFirst()
}
