import { sql, type Kysely } from 'kysely'

/** The contract's `naturalKey` as a function of the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function natural_key(whole text) returns text
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
      ) end $$`.execute(db)
}
