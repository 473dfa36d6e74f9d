// @module-tag whole

import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@vitrine/client'
import type { Feature } from '@vitrine/contract'
import { readConfig, startServer, type RunningServer } from '@vitrine/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { oneFolder } from '../../server/test/engines.ts'
import { patient } from '../../server/test/patient.ts'
import { createTestDatabase } from '../../server/test/test-database.ts'
import { connect } from '../src/demo/connect.ts'
import { loadDemo } from '../src/demo/load-demo.ts'
import type { ShowProgress } from '../src/command/progress.ts'
import type { OpenedClient } from '../src/sign-in/open-client.ts'
import { cityCount, emojiCount, flagOf, onePixel, writeDemoSets } from './demo-sets.ts'
import { createIo, vitrine } from './vitrine.ts'

let folder: string
let server: RunningServer
let opened: OpenedClient
let client: Client

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  writeDemoSets(join(folder, 'sets'))
  const dataDir = join(folder, 'data')
  const env = { VITRINE_DATA_DIR: dataDir, VITRINE_PORT: '0', VITRINE_LOG_LEVEL: 'silent' }
  await createTestDatabase(dataDir, oneFolder, 'account')
  server = await startServer(readConfig(env), patient)
  const io = createIo({ env })
  opened = await connect({ io, server: server.url, username: 'admin', token: undefined })
  client = opened.client
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

type Load = {
  features?: readonly Feature[]
  cities?: number
  signal?: AbortSignal
  onStep?: (name: string, items: number) => void
}

const load = ({
  features = opened.features,
  cities,
  signal = new AbortController().signal,
  onStep = () => {},
}: Load = {}) => {
  const showProgress: ShowProgress = (name) => ({
    step: (items) => onStep(name, items),
    stop: () => {},
  })
  const to = { client, features }
  return loadDemo(to, {
    setsDir: join(folder, 'sets'),
    cityCount: cities,
    showProgress,
    signal,
  })
}

const itemsOf = (datasetId: string) => client.datasetItemList({ datasetId, pageSize: 1000 })

const columnOf = async (datasetId: string, field: string) =>
  (await itemsOf(datasetId)).map(({ data }) => data[field])

const statesOf = async (datasetId: string) =>
  (await client.importList({ datasetId })).map(({ state }) => state)

const ways: { way: string; features: Feature[]; states: string[] }[] = [
  { way: 'by import', features: ['import'], states: ['done'] },
  { way: 'one by one', features: [], states: [] },
]

test.for(ways)('every set is there after it was loaded $way', async ({ features, states }) => {
  expect(await load({ features })).toEqual({
    repos: 5,
    items: 2 + 3 + cityCount + 2 + emojiCount,
    views: 13,
  })
  expect(await columnOf('regions', 'name')).toEqual(['Africa', 'Europe'])
  expect(await columnOf('countries', 'name')).toEqual(['Atlantis', 'Hungary', 'Utopia'])
  expect(await client.datasetCount({ datasetId: 'cities' })).toEqual({ totalItems: cityCount })
  expect(await statesOf('countries')).toEqual(states)

  const utopia = (await itemsOf('countries')).find(({ data }) => data['cca3'] === 'UTO')
  const africa = (await itemsOf('regions')).find(({ data }) => data['name'] === 'Africa')
  expect(utopia?.data).toMatchObject({
    official_name: 'Realm of Utopia',
    capital: 'Amaurot',
    region: africa?.id,
    subregion: 'Far Africa',
    un_member: false,
    area_km2: 51000,
    latitude: 12.5,
    longitude: -7,
    landlocked: false,
  })
  const atlantis = (await itemsOf('countries')).find(({ data }) => data['cca3'] === 'ATL')
  expect(Object.keys(atlantis?.data ?? {})).not.toContain('area_km2')
  expect(Object.keys(atlantis?.data ?? {})).not.toContain('capital')
  const city = (await itemsOf('cities')).find(({ data }) => data['name'] === 'City 3')
  expect(city?.data).toMatchObject({ country: utopia?.id, population: 3_000_000, longitude: 3 })

  const shown = await itemsOf('flag-quiz')
  expect(shown.map(({ data }) => Object.keys(data))).toEqual([['flag'], ['flag'], ['flag']])
  const sealOf = async (datasetId: string, itemId: number, field: string) =>
    (await client.datasetItemGet({ datasetId, itemId })).integrity?.[field]
  expect(await sealOf('flags', utopia?.id ?? 0, 'flag')).toMatchObject({
    sha256: hash('sha256', flagOf('Utopia')),
    mime: 'image/svg+xml',
  })
  const captions = await itemsOf('emoji-captions')
  expect(captions).toHaveLength(emojiCount)
  expect(await columnOf('african-flags', 'country')).toEqual(['Atlantis', 'Utopia'])
  expect(new Set(await columnOf('eu-cities', 'country'))).toEqual(new Set(['Hungary']))
  expect((await itemsOf('eu-members')).map(({ data }) => data)).toMatchObject([
    { country: 'Hungary', eu_since: '2004-05-01' },
  ])
  expect(await columnOf('landlocked-countries', 'area_km2')).toEqual([93028])
  const populations = Array.from(
    { length: cityCount },
    (_, index) => index * 1_000_000,
  ).toReversed()
  expect(await columnOf('largest-cities', 'population')).toEqual(populations)
  expect(await columnOf('megacities', 'population')).toEqual(
    populations.filter((people) => people > 5_000_000),
  )
  const dealt = [...(await itemsOf('animals-train')), ...(await itemsOf('animals-test'))]
  expect(dealt.length).toBeGreaterThan(0)
  expect(await sealOf('emoji-captions', captions[7]?.id ?? 0, 'image')).toMatchObject({
    sha256: hash('sha256', onePixel),
    mime: 'image/png',
  })
})

test('an import that was interrupted goes on, and a finished one adds nothing', async () => {
  const interrupted = new AbortController()
  const first = load({
    signal: interrupted.signal,
    onStep: (name) => {
      if (name === 'cities') interrupted.abort()
    },
  })
  await expect(first).rejects.toThrow()
  expect(await columnOf('cities', 'geonames_id')).toEqual([])
  expect(await statesOf('cities')).toEqual(['receiving'])

  const added: Record<string, number> = {}
  const onStep = (name: string, items: number) => {
    added[name] = (added[name] ?? 0) + items
  }
  const { items } = await load({ onStep })
  expect(added).toEqual({ cities: cityCount, emoji_categories: 2, emoji: emojiCount })
  expect(await statesOf('cities')).toEqual(['done'])

  const again = Object.keys(added)
  expect(await load({ onStep: (name) => again.push(name) })).toMatchObject({ items })
  expect(again).toEqual(['cities', 'emoji_categories', 'emoji'])
  expect(await columnOf('cities', 'geonames_id')).toHaveLength(cityCount)
})

test('a load one by one that was interrupted goes on, by import too', async () => {
  const interrupted = new AbortController()
  let steps = 0
  const first = load({
    features: [],
    signal: interrupted.signal,
    onStep: (name) => {
      if (name === 'cities' && ++steps === 10) interrupted.abort()
    },
  })
  await expect(first).rejects.toThrow()
  const there = await columnOf('cities', 'geonames_id')
  expect(there.length).toBeGreaterThanOrEqual(10)
  expect(there.length).toBeLessThan(cityCount)

  let added = 0
  const onStep = (_: string, items: number) => {
    added += items
  }
  await load({ features: [], cities: cityCount - 5, onStep })
  expect(added).toBe(cityCount - 5 - there.length + 2 + emojiCount)
  await load({ onStep })
  expect(added).toBe(cityCount - there.length + 2 + emojiCount)
  const ids = await columnOf('cities', 'geonames_id')
  expect(ids).toHaveLength(cityCount)
  expect(new Set(ids).size).toBe(cityCount)
})

test('the demo loads the largest cities first, and more of them when run again', async () => {
  await load({ cities: 2 })
  expect(await columnOf('cities', 'name')).toEqual([
    `City ${cityCount - 1}`,
    `City ${cityCount - 2}`,
  ])
  await load({ cities: 5 })
  expect(await columnOf('cities', 'name')).toHaveLength(5)
})

test('a demo that cannot run says why', async () => {
  const run = async (words: string[], { env = {}, ends = 1 } = {}) => {
    const { code, stderr } = await vitrine(['demo', ...words], {
      env: { VITRINE_DATA_DIR: join(folder, 'data'), ...env },
    })
    expect(code).toBe(ends)
    return stderr
  }
  const none = 'http://127.0.0.1:9'
  expect(await run(['--server', none], { ends: 7 })).toContain(
    `No Vitrine answers at ${none}. Start one with`,
  )
  expect(await run([], { env: { VITRINE_SERVER: none }, ends: 7 })).toContain(none)
  expect(await run(['--server', 'nowhere'])).toContain('nowhere is no address.')
  expect(await run(['--server', server.url, '--user', 'nobody'])).toContain(
    'There is no account nobody.',
  )
  const other = join(folder, 'other')
  const elsewhere = await startServer(
    readConfig({ VITRINE_DATA_DIR: other, VITRINE_PORT: '0', VITRINE_LOG_LEVEL: 'silent' }),
  )
  await elsewhere.close()
  expect(await run(['--server', server.url], { env: { VITRINE_DATA_DIR: other } })).toContain(
    `${server.url} does not take a token made with the keys in ${other}`,
  )
  expect((await vitrine(['demo', '--cities', 'many'])).code).toBe(2)
})
