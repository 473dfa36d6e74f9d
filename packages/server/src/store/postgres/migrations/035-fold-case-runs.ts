import { sql, type Kysely } from 'kysely'
import { charactersOf, foldings } from './003-fold-case.ts'

/**
 * Folds only the runs of characters that change: `translate` compares every character with each of the long list, so
 * that a Chinese text of 30,000 characters with one Ü took 0.4 s.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { single, several } = foldings()
  const [from, to] = [0, 1].map((at) => sql.lit(single.map((folding) => folding[at]).join('')))
  const lengthened = several.reduce(
    (text, [character, folded]) => sql`replace(${text}, ${sql.lit(character)}, ${sql.lit(folded)})`,
    sql`run`,
  )
  const changing = charactersOf([...single, ...several])
  const runs = sql.lit(`[${changing}]+|[^${changing}]+`)
  await sql`
    create or replace function fold_case(whole text) returns text
    language sql immutable strict parallel safe as $fold$
      select case
        when octet_length(whole) = char_length(whole) then lower(whole collate "C")
        when whole collate "C" !~ ${sql.lit(`[${changing}]`)} then lower(whole collate "C")
        else (
          select string_agg(
            case when run collate "C" ~ ${sql.lit(`^[${changing}]`)} then translate(
              case when run collate "C" ~ ${sql.lit(`[${charactersOf(several)}]`)} then ${lengthened} else run end,
              ${from}, ${to}
            ) else lower(run collate "C") end, '' order by place)
          from regexp_matches(whole collate "C", ${runs}, 'g') with ordinality as runs (matched, place),
            lateral (select matched[1] as run) as one
        ) end $fold$`.execute(db)
}
