import { type Kysely, sql } from 'kysely'
import { casts } from '../functions/casts.ts'
import { createFoldCase } from '../functions/fold-case.ts'
import { createFoldSearch } from '../functions/fold-search.ts'
import { json } from '../functions/json.ts'

/** Functions that PostgreSQL lacks: the contract's, so that queries answer alike on both engines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...casts, ...json]) await sql.raw(statement).execute(db)
  await naturalKey.execute(db)
  await createFoldCase().execute(db)
  await createFoldSearch(db)
}

/** The contract's `naturalKey`. */
const naturalKey = sql`
    create function natural_key(whole text) returns text
    language sql immutable strict parallel safe as $$
      select case when whole collate "C" !~ '[0-9]' then whole else (
        select string_agg(
          case when part[1] ~ '^[0-9]'
            then length(length(number)::text) || length(number)::text || number
            else part[1]
          end, '' order by place)
        from regexp_matches(whole collate "C", '[0-9]+|[^0-9]+', 'g')
            with ordinality as parts (part, place),
          ltrim(part[1], '0') as number
      ) end $$`
