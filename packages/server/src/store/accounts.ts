import type { Selectable } from 'kysely'
import { now } from './engine-sql.ts'
import type { Db } from './store.ts'
import type { AccountsTable } from './provider-tables.ts'

export type AccountRow = Selectable<AccountsTable>

export async function listAccounts(db: Db): Promise<AccountRow[]> {
  return db.selectFrom('accounts').selectAll().orderBy('name').execute()
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findAccountNamed(db: Db, name: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst()
}

/** @returns whether the name was free */
export async function insertAccount(
  db: Db,
  account: { id: string; name: string; password: string; must_change: 0 | 1 },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('accounts')
    .values({ ...account, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** @returns the id of the account, if there is one of this name */
export async function setPassword(
  db: Db,
  { name, ...columns }: { name: string; password: string; must_change: 0 | 1 },
): Promise<string | undefined> {
  const changed = await db
    .updateTable('accounts')
    .set({ ...columns, sessions_ended_at: now })
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirst()
  return changed?.id
}

/** @returns whether the account still had the password that it was given with */
export async function replacePassword(
  db: Db,
  { id, password: oldPassword }: AccountRow,
  password: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ password, must_change: 0 })
    .where('id', '=', id)
    .where('password', '=', oldPassword)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @returns the id that the account had, if there was one of this name */
export async function deleteAccount(db: Db, name: string): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('accounts')
    .where('name', '=', name)
    .returning('id')
    .executeTakeFirst()
  return deleted?.id
}
