import { chmod, open } from 'node:fs/promises'
import { Kysely, sql } from 'kysely'
import { SnapshotError, type SnapshotOptions } from '../snapshot.ts'
import type { Tables } from '../tables.ts'
import { Connections } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { PostgresDriver } from './driver.ts'
import { runPostgresTool } from './postgres-tool.ts'

const begin = [
  'begin isolation level repeatable read read only',
  "set local statement_timeout = '30s'",
  // Held open while pg_dump reads the same snapshot.
  'set local idle_in_transaction_session_timeout = 0',
].join('; ')

class SnapshotDriver extends PostgresDriver {
  override async beginTransaction(
    held: Parameters<PostgresDriver['beginTransaction']>[0],
  ): Promise<void> {
    await held.connection.query(begin)
  }
}

/** How often a dump is begun, where tables go just then. */
const attemptsMax = 10

export async function snapshotPostgres(
  url: string,
  file: string,
  options: SnapshotOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dump(url, file, options)
      break
    } catch (error) {
      if (!isTableGone(error) || attempt === attemptsMax) throw error
    }
  }
  await chmod(file, 0o600)
  const handle = await open(file)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function dump(url: string, file: string, { look, signal }: SnapshotOptions): Promise<void> {
  const driver = new SnapshotDriver(new Connections(url, { max: 1 }))
  const db = new Kysely<Tables>({ dialect: postgresDialect(driver) })
  try {
    await db.transaction().execute(async (snapshot) => {
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(
        snapshot,
      )
      const words = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`]
      await runPostgresTool('pg_dump', [...words, `--snapshot=${rows[0]!.id}`], { url, signal })
      await look(snapshot)
    })
  } finally {
    await db.destroy()
  }
}

/**
 * Whether pg_dump found that a table of its snapshot had been removed before it locked it, as those of deleted
 * datasets and of views are beside it. Once they are locked, all stay until it ends.
 */
function isTableGone(error: unknown): boolean {
  return error instanceof SnapshotError && error.message.includes('LOCK TABLE')
}

/** Kinds of entries of a dump (`pg_restore --list`) that run nothing by themselves. */
const plainKinds = [
  'ACL',
  'COMMENT',
  'CONSTRAINT',
  'DEFAULT',
  'DEFAULT ACL',
  // PostgreSQL says who may create which ones.
  'EXTENSION',
  'FK CONSTRAINT',
  'INDEX',
  'PUBLICATION',
  'PUBLICATION TABLE',
  'PUBLICATION TABLES IN SCHEMA',
  'SCHEMA',
  'SEQUENCE',
  'SEQUENCE OWNED BY',
  'SEQUENCE SET',
  'STATISTICS',
  'STATISTICS DATA',
  'TABLE',
  'TABLE DATA',
]

/** Functions that migrations make, or made: they are in backups of before. */
const ownFunctions = [
  'canonical_json(json, integer)',
  'cast_boolean(text)',
  'cast_date(text)',
  'cast_duration(text)',
  'cast_integer(text)',
  'cast_json(text)',
  'cast_number(text)',
  'cast_string(text)',
  'cast_timestamp(text)',
  'compose(text)',
  'decompose(text)',
  'fold_case(text)',
  'fold_case_beyond_ascii(text)',
  'fold_search(text)',
  'fold_search_beyond_ascii(text)',
  'is_day(integer, integer, integer)',
  'is_exact_number(text)',
  'natural_key(text)',
  'natural_key_of_digits(text)',
  'number_text(double precision)',
  'plain_json(text)',
  'read_number(text)',
  'significant_digits(text)',
  'utf16_order(text)',
]

/** Finds an entry of a dump that is none of ours, as `kind name`. */
export async function findForeignObject(
  file: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const list = await runPostgresTool('pg_restore', ['--list', file], { signal })
  // 219; 1255 16386 FUNCTION public fold_case(text) owner
  for (const [, kind = '', name = ''] of list.matchAll(
    /^\d+; \d+ \d+ ([A-Z][A-Z ]*) \S+ (.+) \S*$/gm,
  )) {
    const isOwn = kind === 'FUNCTION' ? ownFunctions.includes(name) : plainKinds.includes(kind)
    if (!isOwn) return `${kind.toLowerCase()} ${name}`
  }
  return undefined
}

/** An interrupted restore leaves a database that is not empty. */
export async function restorePostgres(
  file: string,
  url: string,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const words = ['--no-owner', '--no-privileges', '--exit-on-error']
  await runPostgresTool('pg_restore', [...words, file], { url, signal })
}

export async function isEmptyPostgres(url: string): Promise<boolean> {
  const connections = new Connections(url, { max: 1 })
  try {
    const { rows } = await connections.read(`
      select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname not in ('pg_catalog', 'information_schema', 'pg_toast') limit 1`)
    return rows.length === 0
  } finally {
    await connections.end()
  }
}
