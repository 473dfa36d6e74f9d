import { type Person, foldSearch } from '@vitrine/contract'
import { sql } from 'kysely'
import { type Expression, containsSearched, endsWith, startsWith } from './expressions.ts'
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

/**
 * Notes the groups of a noted person, unless a token that was issued later has said others.
 * @param at when the token was issued that says so, in seconds since 1970
 */
export async function recordGroups(
  transaction: Db,
  { key, groups, at }: { key: string; groups: readonly string[] | undefined; at: number },
): Promise<void> {
  await transaction
    .updateTable('people')
    .set({ groups: groups === undefined ? null : JSON.stringify(groups), groups_at: at })
    .where('key', '=', key)
    .where((row) => row.or([row('groups_at', 'is', null), row('groups_at', '<=', at)]))
    .execute()
}

/** Lists the groups that somebody had at their last sign-in. */
export async function listKnownGroups(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('people')
    .select('groups')
    .distinct()
    .where('groups', 'is not', null)
    .limit(knownGroupsMax)
    .execute()
  return [...new Set(rows.flatMap(({ groups }) => JSON.parse(groups!) as string[]))].toSorted()
}

/** Different sets of groups that are looked at to list the groups that there are. */
const knownGroupsMax = 10_000

/** Finds the groups that a person had at the last sign-in. */
export async function findGroups(db: Db, key: string): Promise<string[]> {
  const person = await db
    .selectFrom('people')
    .select('groups')
    .where('key', '=', key)
    .executeTakeFirst()
  const { groups = null } = person ?? {}
  return groups === null ? [] : (JSON.parse(groups) as string[])
}

const selectName = statement<{ key: string }, { name: string | null }>(
  (slot) => sql`select name from people where key = ${slot('key')}`,
)

/** The number of a person who was noted. */
export const personNumber = (key: string | Expression): Expression =>
  sql`(select id from people where key = ${key})`

/** The subject that a provider knows a person by. */
export const subjectOf = (key: string): string => key.slice(key.indexOf(' ') + 1)

/** The issuer and the subject in a key. */
export function identityOfKey(key: string): { issuer: string; subject: string } {
  return { issuer: key.slice(0, key.indexOf(' ')), subject: subjectOf(key) }
}

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

/**
 * Forgets what a person of any provider is called.
 * @returns the names that they had
 */
export async function forgetName(transaction: Db, subject: string): Promise<string[]> {
  const rows = await transaction
    .selectFrom('people')
    .select(['key', 'name'])
    .where(sql<boolean>`${endsWith(sql.ref('key'), ` ${subject}`)}`)
    .where('name', 'is not', null)
    .execute()
  // A subject may have a space in it.
  const people = rows.filter(({ key }) => subjectOf(key) === subject)
  for (const { key } of people) {
    await transaction.updateTable('people').set({ name: null }).where('key', '=', key).execute()
  }
  return people.map(({ name }) => name!)
}

/** Provider whose people are known: the built-in one by its accounts, another by those who have signed in. */
export type PeopleSource = { issuer: string; isBuiltIn: boolean; readsGroups: boolean }

type KnownPerson = { key: string; name: string | null }

function selectKnown({ issuer, isBuiltIn }: Omit<PeopleSource, 'readsGroups'>): Expression {
  return isBuiltIn
    ? sql`select ${`${issuer} `} || id as key, id as subject, name from accounts`
    : sql`
      select key, substr(key, ${issuer.length + 2}) as subject, name from people
      where ${startsWith(sql`key`, `${issuer} `)}`
}

/** Finds a person of a provider by their subject. */
export async function findKnownPerson(
  db: Db,
  { subject, ...source }: PeopleSource & { subject: string },
): Promise<PersonRecord | undefined> {
  const { rows } = await sql<KnownPerson>`
    select key, name from (${selectKnown(source)}) as known
    where subject = ${subject}`.execute(db)
  const [person] = rows
  return person && { key: person.key, name: person.name ?? undefined }
}

/** Lists people of a provider by a part of their names, or by a whole subject, in the order of their names. */
export async function listKnownPeople(
  db: Db,
  { q, page, pageSize, ...source }: PeopleSource & { q: string; page: number; pageSize: number },
): Promise<Person[]> {
  const { rows } = await sql<KnownPerson>`
    select key, name from (${selectKnown(source)}) as known
    where subject = ${q} or ${containsSearched(sql`coalesce(name, '')`, foldSearch(q))}
    order by coalesce(name, subject), subject
    limit ${pageSize} offset ${page * pageSize}`.execute(db)
  return rows.map(shownPerson)
}
