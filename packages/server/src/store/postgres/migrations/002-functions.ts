import { sql, type Kysely } from 'kysely'
import { casts } from '../functions/casts.ts'
import { createFoldCase } from '../functions/fold-case.ts'
import { createFoldSearch } from '../functions/fold-search.ts'
import { json } from '../functions/json.ts'

/** Functions that PostgreSQL lacks: the contract's, so that queries answer alike on both engines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...casts, ...json, ...naturalKey]) await sql.raw(statement).execute(db)
  await createFoldCase(db)
  await createFoldSearch(db)
}

/** SQL of the contract's `naturalKey`: PostgreSQL inlines `natural_key`, and calls the other for texts with digits. */
const naturalKey = [
  `create or replace function natural_key_of_digits(whole text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    key text := '';
    rest text := whole;
    run text;
    number text;
  begin
    loop
      run := substring(rest collate "C" from '[0-9]+');
      if run is null then return key || rest; end if;
      number := ltrim(run, '0');
      key := key || left(rest, strpos(rest, run) - 1)
        || length(length(number)::text) || length(number)::text || number;
      rest := substr(rest, strpos(rest, run) + length(run));
    end loop;
  end $$`,

  `create or replace function natural_key(whole text) returns text
  language sql immutable parallel safe as $$
    select case when whole collate "C" !~ '[0-9]' then whole else natural_key_of_digits(whole) end $$`,
]
