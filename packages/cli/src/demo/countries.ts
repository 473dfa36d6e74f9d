import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DemoRepo, idOf, present } from './demo-repo.ts'

type NativeName = { common: string }

/** Entry of world-countries' countries.json, with the keys that are used. */
type Country = {
  name: { common: string; official: string; native: Record<string, NativeName> }
  cca2: string
  cca3: string
  capital: string[]
  region: string
  subregion: string
  languages: Record<string, string>
  currencies: Record<string, { name: string }>
  /** Square kilometres; -1 where unknown. */
  area: number
  latlng: [number, number]
  landlocked: boolean
  unMember: boolean
}

const folderOf = (setsDir: string) => join(setsDir, 'world-countries')

async function readCountries(setsDir: string): Promise<Country[]> {
  const text = await readFile(join(folderOf(setsDir), 'countries.json'), 'utf8')
  const countries = JSON.parse(text) as Country[]
  return countries.toSorted((a, b) => a.name.common.localeCompare(b.name.common, 'en'))
}

const list = (values: Iterable<string>) => [...new Set(values)].join(', ')

export const regions: DemoRepo = {
  name: 'regions',
  keyField: 'name',
  inFlight: 1,
  items: async (setsDir) => {
    const byRegion = Map.groupBy(await readCountries(setsDir), ({ region }) => region)
    return [...byRegion]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, countries]) => ({
        key: name,
        values: () => {
          const subregions = countries.map(({ subregion }) => subregion).filter(Boolean)
          return present({ name, subregions: list(subregions.toSorted()) })
        },
      }))
  },
}

export const countries: DemoRepo = {
  name: 'countries',
  keyField: 'cca3',
  inFlight: 1,
  items: async (setsDir, loaded) =>
    (await readCountries(setsDir)).map((country) => ({
      key: country.cca3,
      values: async () => {
        const flag = join(folderOf(setsDir), 'data', `${country.cca3.toLowerCase()}.svg`)
        return present({
          name: country.name.common,
          official_name: country.name.official,
          native_names: list(Object.values(country.name.native).map(({ common }) => common)),
          cca2: country.cca2,
          cca3: country.cca3,
          capital: list(country.capital),
          region: idOf(loaded, regions.name, country.region),
          subregion: country.subregion,
          un_member: country.unMember,
          eu_since: euSince(country.cca3),
          languages: list(Object.values(country.languages)),
          currencies: list(Object.values(country.currencies).map(({ name }) => name)),
          area_km2: country.area < 0 ? undefined : country.area,
          latitude: country.latlng[0],
          longitude: country.latlng[1],
          landlocked: country.landlocked,
          flag: await openAsBlob(flag, { type: 'image/svg+xml' }),
        })
      },
    })),
}

/** The key of a country by its two-letter code, which is what other sets know it by. */
export async function countryKeys(setsDir: string): Promise<Map<string, string>> {
  const all = await readCountries(setsDir)
  return new Map(all.map(({ cca2, cca3 }) => [cca2, cca3]))
}

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
function euSince(cca3: string): string | undefined {
  return Object.keys(members).find((date) => members[date]?.split(' ').includes(cca3))
}
