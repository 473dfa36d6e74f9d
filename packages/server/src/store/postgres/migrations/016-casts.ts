import { sql, type Kysely } from 'kysely'

/**
 * The contract's `readCast` as functions of the database, one for each type, and what they are made of.
 * `packages/server/test/casts.test.ts` holds them to the contract.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of functions) await sql.raw(statement).execute(db)
}

const trimmed = `btrim(whole, E' \\t\\r\\n')`
const isShort = 'octet_length(whole) <= 100'
/** In the canonical text of JSON, a NUL that is written with an odd number of backslashes. */
const escapedNul = String.raw`'(^|[^\\])(\\\\)*\\u0000'`

const functions = [
  `create or replace function cast_string(whole text) returns text
  language sql immutable strict parallel safe as $$
    select case when char_length(whole) <= 1000000 then whole end $$`,

  String.raw`create or replace function cast_integer(whole text) returns bigint
  language sql immutable strict parallel safe as $$
    select case when ${isShort} and ${trimmed} ~ '^[+-]?[0-9]+(\.0*)?$' then
      case when abs(${trimmed}::numeric) <= 9007199254740991 then ${trimmed}::numeric::bigint end
    end $$`,

  // What is closer to 0 than any number but 0 is 0, and what is beyond all numbers is none.
  String.raw`create or replace function read_number(digits text) returns double precision
  language plpgsql immutable strict as $$
  declare
    parts text[];
  begin
    return digits::double precision + 0;
  exception when numeric_value_out_of_range then
    parts := regexp_match(digits, '^[+-]?0*([0-9]*)\.?(0*)[0-9]*([eE]([+-]?[0-9]+))?$');
    return case
      when coalesce(parts[4], '0')::numeric
        + case when parts[1] = '' then -length(parts[2]) else length(parts[1]) end < 0 then 0
    end;
  end $$`,

  String.raw`create or replace function cast_number(whole text) returns double precision
  language sql immutable strict as $$
    select case when ${isShort}
      and ${trimmed} ~ '^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$'
      then read_number(${trimmed}) end $$`,

  `create or replace function cast_boolean(whole text) returns bigint
  language sql immutable strict parallel safe as $$
    select case when ${isShort} then case
      when lower(${trimmed} collate "C") in ('true', 't', 'yes', 'y', 'on', '1') then 1
      when lower(${trimmed} collate "C") in ('false', 'f', 'no', 'n', 'off', '0') then 0
    end end $$`,

  `create or replace function is_day(year integer, month integer, day integer) returns boolean
  language sql immutable strict parallel safe as $$
    select year > 0 and month between 1 and 12 and day between 1 and case
      when month in (4, 6, 9, 11) then 30
      when month <> 2 then 31
      when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29
      else 28
    end $$`,

  String.raw`create or replace function cast_date(whole text) returns text
  language sql immutable strict parallel safe as $$
    select parts[1] || '-' || parts[3] || '-' || parts[4]
    from regexp_match(${trimmed}, '^([0-9]{4})([-/]?)([0-9]{2})\2([0-9]{2})'
      '([Tt ]00:00(:00(\.0+)?)?([Zz]|\+00:?00)?)?$') as parts
    where ${isShort} and is_day(parts[1]::integer, parts[3]::integer, parts[4]::integer) $$`,

  // A moment as it is stored: in UTC, without the Z at the end.
  String.raw`create or replace function cast_timestamp(whole text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    parts text[] := regexp_match(${trimmed}, '^([0-9]{4})-([0-9]{2})-([0-9]{2})'
      '([Tt ]([0-9]{2}):([0-9]{2})(:([0-9]{2})([.,]([0-9]{1,9}))?)?'
      '( ?([Zz]|([+-])([0-9]{2})(:?([0-9]{2}))?))?)?$');
    fraction text := rtrim(coalesce(parts[10], ''), '0');
    days integer[] := parts[1:3]::integer[];
    times integer[] := array[coalesce(parts[5], '0'), coalesce(parts[6], '0'),
      coalesce(parts[8], '0'), coalesce(parts[14], '0'), coalesce(parts[16], '0')]::integer[];
    moment timestamp;
  begin
    if octet_length(whole) > 100 or parts is null or not is_day(days[1], days[2], days[3])
      or times[1] > 23 or times[2] > 59 or times[3] > 59 or times[4] > 23 or times[5] > 59
      or length(fraction) > 6 then
      return null;
    end if;
    moment := make_timestamp(days[1], days[2], days[3], times[1], times[2], times[3])
      - make_interval(mins => (coalesce(parts[13], '+') || '1')::integer
        * (times[4] * 60 + times[5]));
    if moment < '0001-01-01' or moment >= '10000-01-01' then return null; end if;
    return to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS')
      || case when fraction = '' then '' else '.' || fraction end;
  end $$`,

  `create or replace function plain_json(whole text) returns text
  language sql immutable strict parallel safe as $$
    select case
      when left(whole, 1) <> '"' then whole
      when whole !~ ${escapedNul} then whole::json #>> '{}'
    end $$`,

  // Keys of JSON are sorted by their UTF-16 code units (RFC 8785 §3.2.3).
  `create or replace function utf16_order(key text) returns text
  language sql immutable strict parallel safe as $$
    select string_agg(case
      when code < 65536 then lpad(to_hex(code), 4, '0')
      else to_hex(55296 + ((code - 65536) >> 10)) || to_hex(56320 + ((code - 65536) & 1023))
    end, '' order by place)
    from regexp_split_to_table(key, '') with ordinality as letters (letter, place),
      ascii(letter) as code $$`,

  String.raw`create or replace function canonical_json(doc json, depth integer) returns text
  language plpgsql immutable strict as $$
  declare
    number double precision;
  begin
    if depth > 64 then raise exception using errcode = 'data_exception'; end if;
    case json_typeof(doc)
      when 'object' then return (
        select '{' || coalesce(string_agg(
          to_json(key)::text || ':' || canonical_json(value, depth + 1), ','
          order by utf16_order(key) collate "C"), '') || '}'
        from (
          select distinct on (key) key, value
          from json_each(doc) with ordinality as members (key, value, place)
          order by key, place desc
        ) as members);
      when 'array' then return (
        select '[' || coalesce(string_agg(canonical_json(value, depth + 1), ',' order by place), '')
          || ']'
        from json_array_elements(doc) with ordinality as elements (value, place));
      when 'string' then return to_json(doc #>> '{}')::text;
      when 'number' then
        number := read_number(btrim(doc::text, E' \t\r\n'));
        if number is null then raise exception using errcode = 'data_exception'; end if;
        return case
          when number = 0 or (abs(number) >= 1e-6 and abs(number) < 1e21)
            then trim_scale(number::text::numeric)::text
          else regexp_replace(number::text, 'e([+-])0*', 'e\1')
        end;
      else return btrim(doc::text, E' \t\r\n');
    end case;
  end $$`,

  `create or replace function cast_json(whole text) returns text
  language plpgsql immutable strict as $$
  declare
    canonical text;
  begin
    if octet_length(whole) > 1048576 or whole ~ ${escapedNul} then return null; end if;
    canonical := canonical_json(whole::json, 1);
    return case when canonical <> 'null' and octet_length(canonical) <= 1048576 then canonical end;
  exception when data_exception or program_limit_exceeded then
    return null;
  end $$`,
]
