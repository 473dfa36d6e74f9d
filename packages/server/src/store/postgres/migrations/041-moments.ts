import { sql, type Kysely } from 'kysely'

/**
 * Reads the time zones that databases write: ` UTC`, `GMT`, and the seconds of PostgreSQL's local times; and days with
 * slashes and hours of one digit, as spreadsheets write them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of functions) await sql.raw(statement).execute(db)
}

const trimmed = `btrim(whole, E' \\t\\r\\n')`
const utc = String.raw`[Zz]|(\+0000 )?[Uu][Tt][Cc]|[Gg][Mm][Tt]`

const functions = [
  String.raw`create or replace function cast_date(whole text) returns text
  language sql immutable strict parallel safe as $$
    select parts[1] || '-' || parts[3] || '-' || parts[4]
    from regexp_match(${trimmed}, '^([0-9]{4})([-/]?)([0-9]{2})\2([0-9]{2})'
      '([Tt ]0?0:00(:00(\.0+)?)?( ?(${utc}|\+00(:?00)?))?)?$') as parts
    where octet_length(whole) <= 100
      and is_day(parts[1]::integer, parts[3]::integer, parts[4]::integer) $$`,

  // A moment as it is stored: in UTC, without the Z at the end.
  String.raw`create or replace function cast_timestamp(whole text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    parts text[] := regexp_match(${trimmed}, '^([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})'
      '(?:[Tt ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?'
      '(?: ?(?:${utc.replace('(', '(?:')}|([+-])([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2}))?)?))?)?$');
    fraction text := rtrim(coalesce(parts[8], ''), '0');
    days integer[] := array[parts[1], parts[3], parts[4]]::integer[];
    times integer[] := array[coalesce(parts[5], '0'), coalesce(parts[6], '0'),
      coalesce(parts[7], '0'), coalesce(parts[10], '0'), coalesce(parts[11], '0'),
      coalesce(parts[12], '0')]::integer[];
    moment timestamp;
  begin
    if octet_length(whole) > 100 or parts is null or not is_day(days[1], days[2], days[3])
      or times[1] > 23 or times[2] > 59 or times[3] > 59
      or times[4] > 23 or times[5] > 59 or times[6] > 59 or length(fraction) > 6 then
      return null;
    end if;
    moment := make_timestamp(days[1], days[2], days[3], times[1], times[2], times[3])
      - make_interval(secs => (coalesce(parts[9], '+') || '1')::integer
        * ((times[4] * 60 + times[5]) * 60 + times[6]));
    if moment < '0001-01-01' or moment >= '10000-01-01' then return null; end if;
    return to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS')
      || case when fraction = '' then '' else '.' || fraction end;
  end $$`,
]
