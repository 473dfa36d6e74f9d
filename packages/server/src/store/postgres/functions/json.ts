/** In the canonical text of JSON, a NUL that is written with an odd number of backslashes. */
const escapedNul = String.raw`'(^|[^\\])(\\\\)*\\u0000'`

/**
 * SQL of canonical JSON (RFC 8785) as functions of PostgreSQL, as the contract's `canonicalText` writes it. Numbers
 * that no double holds as they are written, and keys that are there twice, are refused. Numbers are written as
 * ECMA-262 does: PostgreSQL leaves out the ends of the interval that is read as the same double, and writes 1e23 as
 * 9.999999999999999e+22.
 */
export const json = [
  `create or replace function plain_json(whole text) returns text
  language sql immutable parallel safe as $$
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

  String.raw`create or replace function significant_digits(source text) returns text
  language sql immutable parallel safe as $$
    select btrim(translate(regexp_replace(source, '[eE].*$', ''), '-.', ''), '0') $$`,

  // One digit less than PostgreSQL writes, where that is read as the same number.
  String.raw`create or replace function number_text(number double precision) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    digits numeric := trim_scale(number::text::numeric);
    zeros integer := case when scale(digits) > 0 then -scale(digits)
      else length(digits::text) - length(rtrim(digits::text, '0')) end;
    shorter numeric := round(digits, -zeros - 1);
    whole text;
    significant text;
    exponent integer;
  begin
    if number <> 0 and shorter <> 0 and abs(number) < 1e308 and shorter::double precision = number then
      digits := trim_scale(shorter);
    else
      shorter := null;
    end if;
    if number = 0 or (abs(number) >= 1e-6 and abs(number) < 1e21) then return digits::text; end if;
    if shorter is null then return regexp_replace(number::text, 'e([+-])0*', 'e\1'); end if;
    whole := trunc(abs(digits))::text;
    significant := significant_digits(digits::text);
    exponent := case when whole <> '0' then length(whole) - 1
      else length(ltrim(split_part(digits::text, '.', 2), '0')) - scale(digits) - 1 end;
    return case when number < 0 then '-' else '' end || left(significant, 1)
      || case when length(significant) > 1 then '.' || substr(significant, 2) else '' end
      || case when exponent < 0 then 'e' else 'e+' end || exponent;
  end $$`,

  // The contract's isExactNumber. A double beyond 2^53 is a whole number: 53 bits, shifted to the left.
  String.raw`create or replace function is_exact_number(source text) returns boolean
  language plpgsql immutable strict as $$
  declare
    number double precision := source::double precision;
    written text := significant_digits(source);
    bits bigint;
    whole numeric;
  begin
    if number = 0 then return written = ''; end if;
    if abs(number) <= 9007199254740991 then return true; end if;
    if significant_digits(number_text(number)) = written then return true; end if;
    if source !~ '[.eE]' or length(written) > 100 then return false; end if;
    bits := ('x' || encode(float8send(abs(number)), 'hex'))::bit(64)::bigint;
    whole := ((bits & 4503599627370495) + 4503599627370496)::numeric
      * trunc(2::numeric ^ ((bits >> 52) - 1075)::numeric);
    return significant_digits(round(whole, length(written) - length(whole::text))::text) = written;
  exception when numeric_value_out_of_range then
    return false;
  end $$`,

  String.raw`create or replace function canonical_json(doc json, depth integer) returns text
  language plpgsql immutable strict as $$
  declare
    source text;
  begin
    if depth > 64 then raise exception using errcode = 'data_exception'; end if;
    case json_typeof(doc)
      when 'object' then
        if (select count(*) > count(distinct key) from json_object_keys(doc) as key) then
          raise exception using errcode = 'data_exception';
        end if;
        return (
          select '{' || coalesce(string_agg(
            to_json(key)::text || ':' || canonical_json(value, depth + 1), ','
            order by utf16_order(key) collate "C"), '') || '}'
          from json_each(doc));
      when 'array' then return (
        select '[' || coalesce(string_agg(canonical_json(value, depth + 1), ',' order by place), '')
          || ']'
        from json_array_elements(doc) with ordinality as elements (value, place));
      when 'string' then return to_json(doc #>> '{}')::text;
      when 'number' then
        source := btrim(doc::text, E' \t\r\n');
        if not is_exact_number(source) then raise exception using errcode = 'data_exception'; end if;
        return number_text(source::double precision + 0);
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
