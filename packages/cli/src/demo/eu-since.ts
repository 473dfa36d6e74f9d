/**
 * When each member joined what is the European Union today, by ISO 3166-1 alpha-3: the dates on which
 * the treaties of accession entered into force.
 */
const members: Readonly<Record<string, string>> = {
  '1958-01-01': 'BEL DEU FRA ITA LUX NLD',
  '1973-01-01': 'DNK IRL',
  '1981-01-01': 'GRC',
  '1986-01-01': 'ESP PRT',
  '1995-01-01': 'AUT FIN SWE',
  '2004-05-01': 'CYP CZE EST HUN LTU LVA MLT POL SVK SVN',
  '2007-01-01': 'BGR ROU',
  '2013-07-01': 'HRV',
}

/** Since when a country is a member of the European Union; undefined for one that is none. */
export function euSince(cca3: string): string | undefined {
  return Object.keys(members).find((date) => members[date]?.split(' ').includes(cca3))
}
