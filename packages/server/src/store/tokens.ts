import type { TokenScope } from '@vitrine/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { now } from './engine-sql.ts'
import type { Db, Store, Transaction } from './store.ts'
import type { TokensTable } from './tables.ts'

export type TokenRow = Selectable<TokensTable>

/** A dataset that a token is for: another one of its name is not. */
export type TokenDataset = { id: number; name: string }

/** Returns the datasets that a token is for; undefined of all. */
export function tokenDatasets({
  datasets,
}: {
  datasets: string | null
}): TokenDataset[] | undefined {
  return datasets === null ? undefined : (JSON.parse(datasets) as TokenDataset[])
}

/** Whose tokens are meant. */
type Person = { issuer: string; subject: string }

/** Personal access token with what its check needs. Moments are milliseconds since 1970. */
export type FoundToken = Person & {
  id: number
  scope: TokenScope
  /** JSON of `TokenDataset[]`; null of all. */
  datasets: string | null
  /** The one state that a signed link shows; null of others. */
  at: number | null
  /** Whether its time is over, by the database's clock. */
  isExpired: boolean
  /** How long ago its last use was noted; null of one that never was used. */
  unnotedMs: number | null
  /** User name when the token was made; null where it is not known. */
  username: string | null
  /** The name of the account of the built-in provider with its subject; null where there is none. */
  accountName: string | null
  /** JSON: groups of its owner at the last sign-in. */
  groups: string | null
}

/** Prepares finding a token by the sha256 of its text. It is asked at every call made with one. */
export function findToken({
  prepare,
}: Pick<Store, 'prepare'>): (sha256: string) => Promise<FoundToken | undefined> {
  const select = prepare<
    { sha256: string },
    [
      id: number,
      issuer: string,
      subject: string,
      scope: TokenScope,
      datasets: string | null,
      at: number | null,
      isExpired: number,
      unnotedMs: number | null,
      username: string | null,
      accountName: string | null,
      groups: string | null,
    ]
  >(
    (slot) => sql`
      select id, issuer, subject, scope, datasets, state_at,
        case when expires_at <= ${now} then 1 else 0 end as is_expired,
        ${now} - used_at as unnoted, username,
        (select accounts.name from accounts where accounts.id = tokens.subject) as account_name,
        (select people.groups from people where people.key = tokens.issuer || ' ' || tokens.subject) as groups
      from tokens where sha256 = ${slot('sha256')}`,
  )
  return async (sha256) => {
    const [row] = await select({ sha256 })
    if (row === undefined) return undefined
    const [
      id,
      issuer,
      subject,
      scope,
      datasets,
      at,
      isExpired,
      unnotedMs,
      username,
      account,
      groups,
    ] = row
    return {
      id,
      issuer,
      subject,
      scope,
      datasets,
      at,
      isExpired: isExpired > 0,
      unnotedMs,
      username,
      accountName: account,
      groups,
    }
  }
}

export async function insertToken(
  transaction: Transaction,
  token: Person & Omit<Insertable<TokensTable>, 'created_at'>,
): Promise<TokenRow> {
  return transaction
    .insertInto('tokens')
    .values({ ...token, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lists the tokens of a person, the newest first. */
export function listTokens(
  db: Db,
  { issuer, subject, page, pageSize }: Person & { page: number; pageSize: number },
): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('link_of', 'is', null)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
}

/**
 * Lists signed links to a dataset, the newest first.
 * @param of the person whose links are meant; undefined for all
 */
export function listLinks(
  db: Db,
  {
    datasetId,
    of,
    page,
    pageSize,
  }: { datasetId: number; of: Person | undefined; page: number; pageSize: number },
): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('link_of', '=', datasetId)
    .$if(of !== undefined, (query) =>
      query.where('issuer', '=', of!.issuer).where('subject', '=', of!.subject),
    )
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
}

/**
 * Deletes a signed link to a dataset.
 * @param of the person whose link it must be; undefined for anybody's
 */
export async function deleteLink(
  transaction: Transaction,
  { datasetId, id, of }: { datasetId: number; id: number; of: Person | undefined },
): Promise<TokenRow | undefined> {
  return transaction
    .deleteFrom('tokens')
    .where('id', '=', id)
    .where('link_of', '=', datasetId)
    .$if(of !== undefined, (query) =>
      query.where('issuer', '=', of!.issuer).where('subject', '=', of!.subject),
    )
    .returningAll()
    .executeTakeFirst()
}

/** @returns whether the person had a token of this id */
export async function deleteToken(
  transaction: Transaction,
  { issuer, subject, id }: Person & { id: number },
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('tokens')
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('link_of', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Deletes all tokens and links of an account of the built-in provider: no other provider has its subject. */
export async function deleteTokensOf(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.deleteFrom('tokens').where('subject', '=', accountId).execute()
}

/** Forgets the name that a person of any provider signed in by when they made their tokens. */
export async function clearUsername(transaction: Transaction, subject: string): Promise<void> {
  await transaction
    .updateTable('tokens')
    .set({ username: null })
    .where('subject', '=', subject)
    .execute()
}

/** Notes that a token was used, unless another process has noted it just before. */
export async function recordTokenUse(
  transaction: Transaction,
  { id, everyMs }: { id: number; everyMs: number },
): Promise<void> {
  await transaction
    .updateTable('tokens')
    .set({ used_at: now })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('used_at', 'is', null), row('used_at', '<=', sql<number>`${now} - ${everyMs}`)]),
    )
    .execute()
}

/** Deletes tokens and links whose time has been over for so long. */
export async function deleteExpiredTokens(transaction: Transaction, keptMs: number): Promise<void> {
  await transaction
    .deleteFrom('tokens')
    .where('expires_at', '<=', sql<number>`${now} - ${keptMs}`)
    .execute()
}
