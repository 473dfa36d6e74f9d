import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { bytes } from '../packages/server/src/store/engine-sql.ts'
import { findDataset } from '../packages/server/src/store/datasets.ts'
import { itemTable } from '../packages/server/src/store/items.ts'
import type { Store } from '../packages/server/src/store/store.ts'

/** Rows that one statement adds at most: the server ends those that take long. */
const batch = 250_000

const vowels = Array.from('aeiou')
const syllables = Array.from('bcdfghjklmnprstvwxyz').flatMap((consonant) =>
  vowels.map((vowel) => consonant + vowel),
)
/** The name of a person is two words of two syllables each; no two are the same up to a hundred million. */
const step = 7_919_777

export function personName(index: number): string {
  const number = (index * step) % 100_000_000
  const syllable = (place: number) => syllables[Math.floor(number / place) % 100]!
  return `${syllable(1_000_000)}${syllable(10_000)} ${syllable(100)}${syllable(1)}`
}

/** How many texts `threeLetters` has, and how it walks through them. */
const lettersCount = vowels.length * syllables.length
const lettersStep = 137

/** Three letters within a name, which one in 250 people has; others for each index below 500. */
export function threeLetters(index: number): string {
  if (index >= lettersCount) throw new Error('there are no more texts of three letters')
  const number = (index * lettersStep) % lettersCount
  return vowels[Math.floor(number / syllables.length)]! + syllables[number % syllables.length]!
}

/** The name of person `n` in SQL. */
function personNameSql(): RawBuilder<string> {
  const number = sql`((n * ${sql.lit(step)}) % 100000000)`
  const syllable = (place: number) =>
    sql`substr(${sql.lit(syllables.join(''))}, cast(1 + 2 * (${number} / ${sql.lit(place)} % 100) as integer), 2)`
  return sql`${syllable(1_000_000)} || ${syllable(10_000)} || ' ' || ${syllable(100)} || ${syllable(1)}`
}

/** A statement, of both engines, that gives an id, an expression of `n` from 0 on, and the name of each person. */
export function selectPeople(id: string, size: number): string {
  const compiler = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const { sql: name } = personNameSql().compile(compiler)
  return `with recursive numbers (n) as (
      select cast(0 as bigint) union all select n + 1 from numbers where n < ${size - 1}
    )
    select ${id}, ${name} from numbers`
}

/** How many countries people come from, in turn. */
export const countries = 250

/** Name of country `index`, without a letter that a person's name has. */
export function countryName(index: number): string {
  return `Q${String(index).padStart(3, '0')}`
}

/** Adds people to the repository `people` in the database itself, as millions take a while; returns its id. */
export async function fillPeople(store: Store, size: number): Promise<number> {
  console.log(`Filling a database with ${size.toLocaleString('en')} people …`)
  const { id } = (await findDataset(store.reads, 'people'))!
  for (let from = 0; from < size; from += batch) {
    const to = Math.min(size, from + batch)
    await store.write(async (transaction) => {
      await sql`
        insert into ${itemTable(id)} (position, id, created_at, digests, f0, f1)
        with recursive numbers (n) as (
          select cast(${sql.lit(from)} as bigint) union all select n + 1 from numbers where n < ${sql.lit(to - 1)}
        )
        select n, n + 1, 0, cast('' as ${bytes}), ${personNameSql()}, 1 + n % ${sql.lit(countries)} from numbers`.execute(
        transaction,
      )
      await transaction
        .updateTable('datasets')
        .set({ next_position: to, next_item_id: to + 1 })
        .where('id', '=', id)
        .execute()
    })
  }
  return id
}
