import { foldCase } from '@vitrine/contract'
import { sql, type Kysely, type RawBuilder } from 'kysely'

/** The last code point (Unicode Standard §3.4, D9). */
const lastCodePoint = 0x10_ffff
const surrogates = { first: 0xd800, last: 0xdfff }

/**
 * The contract's `foldCase` as a function of the database. It folds each code point by itself, so it is
 * one translation of characters, and a few replacements of those that become several. Both look through
 * long lists at every character, so they are left to texts that hold one of those characters.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { single, several } = foldings()
  const from = sql.lit(single.map(([character]) => character).join(''))
  const to = sql.lit(single.map(([, folded]) => folded).join(''))
  const lengthened = several.reduce(
    (text, [character, folded]) => sql`replace(${text}, ${sql.lit(character)}, ${sql.lit(folded)})`,
    sql`whole`,
  )
  await sql`
    create function fold_case(whole text) returns text
    language sql immutable strict parallel safe as $fold$
      select case
        when octet_length(whole) = char_length(whole) then lower(whole collate "C")
        when whole collate "C" !~ ${anyOf([...single, ...several])} then lower(whole collate "C")
        else translate(
          case when whole collate "C" ~ ${anyOf(several)} then ${lengthened} else whole end,
          ${from}, ${to}
        )
      end $fold$`.execute(db)
}

/** A pattern for a text that holds one of these, beyond ASCII. */
function anyOf(foldings: readonly Folding[]): RawBuilder<unknown> {
  return sql.lit(`[${charactersOf(foldings)}]`)
}

/** The characters beyond ASCII that fold to others, side by side. */
export function charactersOf(foldings: readonly Folding[]): string {
  return foldings
    .map(([character]) => character)
    .filter((each) => each > '\x7f')
    .join('')
}

type Folding = [character: string, folded: string]

/** Code points looked at together: most of them have no case. */
const together = 256

/** All characters that fold to others, to one or to several. */
export function foldings(): { single: Folding[]; several: Folding[] } {
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
