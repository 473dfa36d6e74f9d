import { foldCase } from '@vitrine/contract'
import { sql, type Kysely } from 'kysely'

/** The last code point (Unicode Standard §3.4, D9). */
const lastCodePoint = 0x10_ffff
const surrogates = { first: 0xd800, last: 0xdfff }

/** Characters of texts that are folded by one translation. */
const shortMax = 200

/**
 * Creates the contract's `foldCase` as functions of the database. Each code point is folded by itself: the characters of a
 * short text that change are translated, of a long one its runs of them. `translate` compares each character with all of a list:
 * with the 1,500 that change, a Chinese text of 30,000 characters with one Ü took 0.4 s.
 */
export async function createFoldCase(db: Kysely<unknown>): Promise<void> {
  const { single, several } = foldings()
  const [from, to] = [0, 1].map((at) => sql.lit(single.map((folding) => folding[at]).join('')))
  const lengthened = several.reduce(
    (text, [character, folded]) => sql`replace(${text}, ${sql.lit(character)}, ${sql.lit(folded)})`,
    sql`run`,
  )
  const changing = charactersOf([...single, ...several])
  const lengthening = sql.lit(`[${charactersOf(several)}]`)
  const runs = sql.lit(`[${changing}]+|[^${changing}]+`)
  await sql`
    create or replace function fold_case_beyond_ascii(whole text) returns text
    language plpgsql immutable strict parallel safe as $fold$
      declare
        changing text := regexp_replace(whole collate "C", ${sql.lit(`[^${changing}]+`)}, '', 'g');
      begin
        if changing = '' then return lower(whole collate "C"); end if;
        if char_length(whole) <= ${sql.lit(shortMax)} and changing collate "C" !~ ${lengthening} then
          return translate(lower(whole collate "C"), changing, translate(changing, ${from}, ${to}));
        end if;
        return (
          select string_agg(
            case when run collate "C" ~ ${sql.lit(`^[${changing}]`)} then translate(
              case when run collate "C" ~ ${lengthening} then ${lengthened} else run end,
              ${from}, ${to}
            ) else lower(run collate "C") end, '' order by place)
          from regexp_matches(whole collate "C", ${runs}, 'g') with ordinality as runs (matched, place),
            lateral (select matched[1] as run) as one);
      end $fold$`.execute(db)
  await createFolding(db, 'fold_case')
}

/**
 * Creates a folding that PostgreSQL inlines, as it is in SQL and not strict: of ASCII by `lower`, of other texts by a function
 * in PL/pgSQL. Each call of a function in SQL that is not inlined takes 2 to 14 µs.
 */
export async function createFolding(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`
    create or replace function ${sql.raw(name)}(whole text) returns text
    language sql immutable parallel safe as $fold$
      select case
        when octet_length(whole) = char_length(whole) then lower(whole collate "C")
        else ${sql.raw(name)}_beyond_ascii(whole)
      end $fold$`.execute(db)
}

/** The characters beyond ASCII that fold to others, side by side. */
function charactersOf(foldings: readonly Folding[]): string {
  return foldings
    .map(([character]) => character)
    .filter((each) => each > '\x7f')
    .join('')
}

type Folding = [character: string, folded: string]

/** Code points looked at together: most of them have no case. */
const together = 256

/** All characters that fold to others, to one or to several. */
function foldings(): { single: Folding[]; several: Folding[] } {
  const single: Folding[] = []
  const several: Folding[] = []
  for (let first = 0; first <= lastCodePoint; first += together) {
    const characters = charactersFrom(first)
    const text = characters.join('')
    if (text.toLowerCase() === text && text.toUpperCase() === text) continue
    for (const character of characters) {
      const folded = foldCase(character)
      if (folded === character) continue
      const becomesOne = Array.from(folded).length === 1
      ;(becomesOne ? single : several).push([character, folded])
    }
  }
  return { single, several }
}

/** Without surrogates, which are no characters, and without NUL, which no text has. */
function charactersFrom(first: number): string[] {
  return Array.from({ length: together }, (_, index) => first + index)
    .filter((code) => code !== 0 && (code < surrogates.first || code > surrogates.last))
    .map((code) => String.fromCodePoint(code))
}
