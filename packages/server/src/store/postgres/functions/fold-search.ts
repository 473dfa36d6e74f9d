import { accent, accentsButAfterLetters } from '@vitrine/contract'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { createFolding } from './fold-case.ts'

/** The last code point (Unicode Standard §3.4, D9). */
const lastCodePoint = 0x10_ffff
const surrogates = { first: 0xd800, last: 0xdfff }

/**
 * Creates the contract's `foldSearch` as functions of the database. What its own `normalize` does not know, as its Unicode may
 * be older, is replaced: before it is decomposed, and after it was composed. Without their accents many texts are ASCII.
 */
export async function createFoldSearch(db: Kysely<unknown>): Promise<void> {
  const characters = allCharacters()
  const accents = characters.filter((each) => accent.test(each))
  const decompositions = await unknownMappings(db, characters.map(toDecomposition), 'nfkd')
  const compositions = await unknownMappings(db, characters.map(toComposition), 'nfc')
  await sql`
    create or replace function fold_search_beyond_ascii(whole text) returns text
    language plpgsql immutable strict parallel safe as $fold$
      declare
        folded text := regexp_replace(
          normalize(${replaceIn('whole', decompositions)}, nfkd) collate "C",
          ${sql.lit(`[${rangesOf(accents)}]|${accentsButAfterLetters}`)}, '', 'g'
        );
      begin
        if octet_length(folded) = char_length(folded) then return lower(folded collate "C"); end if;
        folded := normalize(fold_case_beyond_ascii(folded), nfc);
        return ${replaceIn('folded', compositions)};
      end $fold$`.execute(db)
  await createFolding(db, 'fold_search')
}

/** Characters, and what normalization makes of them. */
type Mapping = [from: string, to: string]

const toDecomposition = (character: string): Mapping => [character, character.normalize('NFKD')]

/** From the canonical decomposition of a character to the character, but for those that are never composed. */
const toComposition = (character: string): Mapping => {
  const decomposed = character.normalize('NFD')
  return [decomposed, decomposed.normalize('NFC')]
}

/** Returns the mappings that the database does not make, those from the longest first. */
async function unknownMappings(
  db: Kysely<unknown>,
  mappings: readonly Mapping[],
  form: 'nfkd' | 'nfc',
): Promise<Mapping[]> {
  const changing = mappings.filter(([from, to]) => from !== to)
  const { rows } = await sql<{ source: string; target: string }>`
    select source, target
    from unnest(
      ${changing.map(([from]) => from)}::text[], ${changing.map(([, to]) => to)}::text[]
    ) as expected (source, target)
    where normalize(source, ${sql.raw(form)}) <> target
    order by char_length(source) desc, source collate "C"`.execute(db)
  return rows.map(({ source, target }) => [source, target])
}

/** Replaces in a column what has mappings, if any of their characters is in it. */
function replaceIn(column: string, mappings: readonly Mapping[]): RawBuilder<unknown> {
  const whole = sql.ref(column)
  if (mappings.length === 0) return whole
  const isSingle = (mapping: Mapping) => mapping.every((each) => Array.from(each).length === 1)
  const joined = (at: 0 | 1) =>
    sql.lit(
      mappings
        .filter(isSingle)
        .map((each) => each[at])
        .join(''),
    )
  const replaced = mappings
    .filter((each) => !isSingle(each))
    .reduce(
      (text, [from, to]) => sql`replace(${text}, ${sql.lit(from)}, ${sql.lit(to)})`,
      sql`translate(${whole}, ${joined(0)}, ${joined(1)})`,
    )
  const pattern = sql.lit(`[${rangesOf(mappings.map(([from]) => from))}]`)
  return sql`case when ${whole} collate "C" ~ ${pattern} then ${replaced} else ${whole} end`
}

/** The characters of texts for a bracket expression, those in a row by the first and the last. */
function rangesOf(texts: readonly string[]): string {
  const codes = new Set(texts.flatMap((text) => Array.from(text, (each) => each.codePointAt(0)!)))
  const ranges: [first: number, last: number][] = []
  for (const code of [...codes].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range?.[1] === code - 1) range[1] = code
    else ranges.push([code, code])
  }
  return ranges.map((range) => range.map((code) => String.fromCodePoint(code)).join('-')).join('')
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
