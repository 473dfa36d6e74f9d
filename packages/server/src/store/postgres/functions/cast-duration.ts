/** SQL of the contract's `readCast` for durations, as microseconds (`casts.ts` has the others). */
const number = '([+-]?[0-9]{1,12})'
const seconds = String.raw`([+-]?)([0-9]{1,12})(?:[.,]([0-9]{1,9}))?`

export const castDuration = String.raw`
  create or replace function cast_duration(whole text) returns bigint
  language plpgsql immutable strict parallel safe as $$
  declare
    written text := btrim(whole, E' \t\r\n');
    iso text[] := regexp_match(written, '^([+-]?)[Pp](?:${number}[Ww])?(?:${number}[Dd])?'
      '(?:[Tt](?:${number}[Hh])?(?:${number}[Mm])?(?:${seconds}[Ss])?)?$');
    clock text[];
    sign text := '';
    rest text;
    micros numeric;
    fraction text;
  begin
    if octet_length(whole) > 100 or written = '' or written ~ '[PpTt]$' then return null; end if;
    if iso is not null then
      sign := iso[1];
      rest := coalesce(iso[6], '');
      fraction := iso[8];
      micros := coalesce(iso[2], '0')::numeric * 604800000000
        + coalesce(iso[3], '0')::numeric * 86400000000
        + coalesce(iso[4], '0')::numeric * 3600000000
        + coalesce(iso[5], '0')::numeric * 60000000
        + (rest || coalesce(iso[7], '0'))::numeric * 1000000;
    else
      clock := regexp_match(written, '^(?:([+-]?[0-9]{1,9}) [Dd][Aa][Yy][Ss]?(?:,? |$))?'
        '(?:([+-]?)([0-9]{1,9}):([0-5][0-9]):([0-5][0-9])(?:[.,]([0-9]{1,9}))?)?$');
      if clock is null then return null; end if;
      rest := coalesce(clock[2], '');
      fraction := clock[6];
      micros := coalesce(clock[1], '0')::numeric * 86400000000
        + (rest || '1')::numeric * (coalesce(clock[3], '0')::numeric * 3600000000
          + coalesce(clock[4], '0')::numeric * 60000000
          + coalesce(clock[5], '0')::numeric * 1000000);
    end if;
    fraction := rtrim(coalesce(fraction, ''), '0');
    if length(fraction) > 6 then return null; end if;
    micros := micros + (rest || '1')::numeric * rpad(fraction, 6, '0')::numeric;
    if abs(micros) > 9007199254740991 then return null; end if;
    return ((sign || '1')::numeric * micros)::bigint;
  end $$`
