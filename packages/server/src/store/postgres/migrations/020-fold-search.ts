import { diacritic } from '@vitrine/contract'
import { sql, type Kysely, type RawBuilder } from 'kysely'

/** The last code point (Unicode Standard §3.4, D9). */
const lastCodePoint = 0x10_ffff
const surrogates = { first: 0xd800, last: 0xdfff }

/**
 * The contract's `foldSearch` as a function of the database. Characters that its own `normalize` does not
 * know, as its Unicode may be older, are replaced before by what they decompose to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const characters = allCharacters()
  const unknown = await unknownDecompositions(db, characters)
  const single = unknown.filter(([, to]) => Array.from(to).length === 1)
  const several = unknown.filter(([, to]) => Array.from(to).length !== 1)
  const known = several.reduce(
    (text, [from, to]) => sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`,
    sql`translate(whole, ${sql.lit(joined(single, 0))}, ${sql.lit(joined(single, 1))})`,
  )
  const isUnknown =
    unknown.length === 0
      ? sql`false`
      : sql`whole collate "C" ~ ${sql.lit(`[${joined(unknown, 0)}]`)}`
  const decomposed = sql`case when ${isUnknown} then ${known} else whole end`
  await sql`
    create or replace function decompose(whole text) returns text
    language sql immutable strict parallel safe as $fold$
      select case
        when whole collate "C" !~ ${patternOf(characters.filter(holdsMovedMark))}
          then normalize(${decomposed}, nfkd)
        else (
          select string_agg(normalize(letter, nfkd), '' order by place)
          from regexp_split_to_table(${decomposed}, '') with ordinality as letters (letter, place)
        ) end $fold$`.execute(db)
  const diacritics = patternOf(characters.filter((each) => diacritic.test(each)))
  const stripped = (text: RawBuilder<unknown>) =>
    sql`regexp_replace(decompose(${text}) collate "C", ${diacritics}, '', 'g')`
  await sql`
    create or replace function fold_search(whole text) returns text
    language sql immutable strict parallel safe as $fold$
      select case
        when octet_length(whole) = char_length(whole) then lower(whole collate "C")
        else ${stripped(sql`fold_case(${stripped(sql`whole`)})`)}
      end $fold$`.execute(db)
}

type Decomposition = [character: string, to: string]

/** What the database decomposes otherwise than this program. */
async function unknownDecompositions(
  db: Kysely<unknown>,
  characters: readonly string[],
): Promise<Decomposition[]> {
  const decomposed = characters
    .map((character): Decomposition => [character, character.normalize('NFKD')])
    .filter(([character, to]) => character !== to)
  const { rows } = await sql<{ character: string; decomposition: string }>`
    select character, decomposition
    from unnest(
      ${decomposed.map(([character]) => character)}::text[], ${decomposed.map(([, to]) => to)}::text[]
    ) as expected (character, decomposition)
    where normalize(character, nfkd) <> decomposition`.execute(db)
  return rows.map(({ character, decomposition }) => [character, decomposition])
}

function joined(decompositions: readonly Decomposition[], at: 0 | 1): string {
  return decompositions.map((each) => each[at]).join('')
}

/** Whether a character holds marks that are no diacritics, but would be put into an order among marks. */
function holdsMovedMark(character: string): boolean {
  return Array.from(character.normalize('NFKD')).some(
    (each) => isMoved(each) && !diacritic.test(each),
  )
}

/** Whether it is moved beside a mark that overlays letters, or such a mark beside an accent (UAX #15 §1.3). */
function isMoved(character: string): boolean {
  const [overlay, accent] = ['\u0334', '\u0301']
  return (
    (character + overlay).normalize('NFD') === overlay + character ||
    (accent + character).normalize('NFD') === character + accent
  )
}

/** A pattern for one of some characters, those in a row by the first and the last. */
function patternOf(characters: readonly string[]): RawBuilder<unknown> {
  const ranges: [first: number, last: number][] = []
  for (const character of characters) {
    const code = character.codePointAt(0)!
    const range = ranges.at(-1)
    if (range?.[1] === code - 1) range[1] = code
    else ranges.push([code, code])
  }
  const written = ranges.map((range) => range.map((code) => String.fromCodePoint(code)).join('-'))
  return sql.lit(`[${written.join('')}]`)
}

/** Without surrogates, which are no characters, and without NUL, which no text has. */
function allCharacters(): string[] {
  const characters: string[] = []
  for (let code = 1; code <= lastCodePoint; code += 1) {
    if (code < surrogates.first || code > surrogates.last)
      characters.push(String.fromCodePoint(code))
  }
  return characters
}
