import type { Person } from '@vitrine/contract'
import { sql } from 'kysely'
import type { Expression } from './expressions.ts'
import { statement } from './statement.ts'
import type { Db } from './store.ts'

/** A person to note, by the `issuer subject` of an identity, with the name that the provider says now. */
export type PersonRecord = { key: string; name: string | undefined }

/**
 * Notes a person before anything is kept as theirs, and the name where it is another one than before. Nothing is
 * written, and so nobody waits, where all of it is known.
 */
export async function recordPerson(transaction: Db, { key, name }: PersonRecord): Promise<void> {
  const [person] = await selectName(transaction, { key })
  if (person === undefined) {
    await transaction
      .insertInto('people')
      .values({ key, name: name ?? null })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  } else if (name !== undefined && name !== person.name) {
    await transaction.updateTable('people').set({ name }).where('key', '=', key).execute()
  }
}

const selectName = statement<{ key: string }, { name: string | null }>(
  (slot) => sql`select name from people where key = ${slot('key')}`,
)

/** The number of a person who was noted. */
export const personNumber = (key: string | Expression): Expression =>
  sql`(select id from people where key = ${key})`

/** The subject that a provider knows a person by. */
export const subjectOf = (key: string): string => key.slice(key.indexOf(' ') + 1)

/** A person as others see one. */
export function shownPerson({ key, name }: { key: string; name: string | null }): Person {
  return { subject: subjectOf(key), ...(name !== null && { name }) }
}

/** Finds the person of a key as others see one. */
export async function findPerson(db: Db, key: string): Promise<Person> {
  const person = await db
    .selectFrom('people')
    .select('name')
    .where('key', '=', key)
    .executeTakeFirst()
  return shownPerson({ key, name: person?.name ?? null })
}
