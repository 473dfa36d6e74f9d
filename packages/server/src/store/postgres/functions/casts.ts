/**
 * SQL of the contract's `readCast` as functions of PostgreSQL, one for each type, and what they are made of. Those in SQL
 * are not strict, or PostgreSQL would call them for each row instead of inlining them
 * (https://wiki.postgresql.org/wiki/Inlining_of_SQL_functions).
 * `packages/server/test/casts.test.ts` holds them to the contract.
 */
const trimmed = `btrim(whole, E' \\t\\r\\n')`
/** SQL for whether a text that begins like 2026-11-29 begins with a day. The captures of a pattern would take 10 µs. */
const isDayWritten =
  'is_day(left(whole, 4)::integer, substr(whole, 6, 2)::integer, substr(whole, 9, 2)::integer)'
const isShort = 'octet_length(whole) <= 100'
/** Time zones that databases write: ` UTC`, `GMT`, and the zeros before. */
const utc = String.raw`[Zz]|(\+0000 )?[Uu][Tt][Cc]|[Gg][Mm][Tt]`

export const casts = [
  `create or replace function cast_string(whole text) returns text
  language sql immutable parallel safe as $$
    select case when char_length(whole) <= 1000000 then whole end $$`,

  String.raw`create or replace function cast_integer(whole text) returns bigint
  language sql immutable parallel safe as $$
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
  language sql immutable as $$
    select case when ${isShort}
      and ${trimmed} ~ '^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,4})?$'
      then read_number(${trimmed}) end $$`,

  `create or replace function cast_boolean(whole text) returns bigint
  language sql immutable parallel safe as $$
    select case when ${isShort} then case
      when lower(${trimmed} collate "C") in ('true', 't', 'yes', 'y', 'on', '1') then 1
      when lower(${trimmed} collate "C") in ('false', 'f', 'no', 'n', 'off', '0') then 0
    end end $$`,

  `create or replace function is_day(year integer, month integer, day integer) returns boolean
  language sql immutable parallel safe as $$
    select year > 0 and month between 1 and 12 and day between 1 and case
      when month in (4, 6, 9, 11) then 30
      when month <> 2 then 31
      when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29
      else 28
    end $$`,

  String.raw`create or replace function cast_date(whole text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    parts text[];
  begin
    if whole ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
      return case when ${isDayWritten} then whole end;
    end if;
    parts := regexp_match(${trimmed}, '^([0-9]{4})([-/]?)([0-9]{2})\2([0-9]{2})'
      '([Tt ]0?0:00(:00(\.0+)?)?( ?(${utc}|\+00(:?00)?))?)?$');
    return case when octet_length(whole) <= 100
      and is_day(parts[1]::integer, parts[3]::integer, parts[4]::integer)
      then parts[1] || '-' || parts[3] || '-' || parts[4] end;
  end $$`,

  // A moment as it is stored: in UTC, without the Z at the end.
  String.raw`create or replace function cast_timestamp(whole text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    parts text[];
    fraction text;
    days integer[];
    times integer[];
    moment timestamp;
  begin
    if whole ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z?$' then
      return case when ${isDayWritten} then left(whole, 19) || rtrim(rtrim(substr(whole, 20), 'Z0'), '.') end;
    end if;
    parts := regexp_match(${trimmed}, '^([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})'
      '(?:[Tt ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?'
      '(?: ?(?:${utc.replace('(', '(?:')}|([+-])([0-9]{2})(?::?([0-9]{2})(?::?([0-9]{2}))?)?))?)?$');
    fraction := rtrim(coalesce(parts[8], ''), '0');
    days := array[parts[1], parts[3], parts[4]]::integer[];
    times := array[coalesce(parts[5], '0'), coalesce(parts[6], '0'),
      coalesce(parts[7], '0'), coalesce(parts[10], '0'), coalesce(parts[11], '0'),
      coalesce(parts[12], '0')]::integer[];
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
