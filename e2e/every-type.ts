import { addItem, type Client } from '@vitrine/client'
import { newName } from './app.ts'
import { picture } from './sample-data.ts'

/** The smallest GIF there is: one black pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Adds five cities with a field of every type; the first two have all values. */
export async function addEveryType(client: Client): Promise<string> {
  const [lands, cities] = [newName('lands'), newName('cities')]
  await client.repoCreate({
    body: { name: lands, schema: [{ name: 'name', type: 'string', length: 40 }] },
  })
  const [norway, japan] = [
    await addItem(client, lands, { name: 'Norway' }),
    await addItem(client, lands, { name: 'Japan' }),
  ]
  await client.repoCreate({
    body: {
      name: cities,
      schema: [
        { name: 'name', type: 'string', length: 5000 },
        { name: 'size', type: 'string', choices: ['small', 'large'] },
        { name: 'people', type: 'integer', optional: true },
        { name: 'area', type: 'number', optional: true },
        { name: 'coastal', type: 'boolean', optional: true },
        { name: 'founded', type: 'date', optional: true },
        { name: 'seen', type: 'timestamp', optional: true },
        { name: 'walk', type: 'duration', optional: true },
        { name: 'site', type: 'url', optional: true },
        { name: 'facts', type: 'json', optional: true },
        { name: 'land', type: 'reference', target: lands, optional: true },
        { name: 'flag', type: 'binary', mime: 'image/*', optional: true },
        { name: 'map', type: 'binary', mime: 'image/png', optional: true },
      ],
    },
  })
  const png = (seed: number) => new Blob([picture(seed)], { type: 'image/png' })
  const site = 'https://example.org/'
  await addItem(client, cities, {
    name: 'Oslo',
    size: 'large',
    people: 717_710,
    area: 454.1,
    coastal: true,
    founded: '1048-01-01',
    seen: '2026-01-31T09:30:00.25Z',
    walk: 'PT5H30M',
    site,
    facts: { a: 1 },
    land: norway,
    flag: png(1),
    map: png(2),
  })
  await addItem(client, cities, {
    name: 'Tokyo',
    size: 'large',
    people: 37_036_200,
    area: -0.5,
    coastal: true,
    founded: '1457-04-08',
    seen: '2026-02-01T00:00:00Z',
    walk: 'P1DT2H',
    site,
    facts: { a: 1 },
    land: japan,
    flag: new Blob([gif], { type: 'image/gif' }),
    map: png(3),
  })
  await addItem(client, cities, { name: '', size: 'small', coastal: false, land: norway })
  await addItem(client, cities, { name: 'Oslo', size: 'small', people: 0 })
  await addItem(client, cities, { name: 'Long '.repeat(300), size: 'small', people: -5 })
  return cities
}
