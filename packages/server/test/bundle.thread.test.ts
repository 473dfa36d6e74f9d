import { generateKeyPairSync, sign } from 'node:crypto'
import { addItem, openReply, type BundleContents } from '@vitrine/client'
import {
  checkpointText,
  noteText,
  readCheckpoint,
  readLogParts,
  readNote,
  verifierKeyText,
  makeVerifierKey,
  writeLogPart,
} from '@vitrine/transparency-log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from './photos.ts'
import { allOf, readArchive, sha256, verifyFiles as verify } from './read-archive.ts'
import { startTestServer, type TestServer } from './server.ts'

type Files = Map<string, Buffer>

const text = { type: 'string', length: 100 }
const repos = {
  countries: [{ name: 'name', ...text }],
  cities: [
    { name: 'name', ...text },
    { name: 'country', type: 'reference', target: 'countries' },
    { name: 'twin', type: 'reference', target: 'cities', optional: true },
  ],
  photos: [
    { name: 'title', ...text },
    { name: 'image', type: 'binary', mime: 'image/png', optional: true },
    { name: 'place', type: 'reference', target: 'towns', optional: true },
  ],
}
const views = {
  towns: { base: 'cities', where: { name: { neq: 'Nowhere' } } },
  odd: { base: 'photos', where: { title: { ends_with: '1' } } },
  named: { base: 'odd', fields: ['title', { name: 'country', from: 'place.country.name' }] },
  least: { base: 'cities', order: 'name', limit: 2 },
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  const create = (name: keyof typeof repos) =>
    client.repoCreate({ body: { name, schema: repos[name] } })
  const view = (name: keyof typeof views) => client.viewCreate({ body: { name, ...views[name] } })
  await create('countries')
  await create('cities')
  await view('towns')
  await create('photos')
  for (const name of ['odd', 'named', 'least'] as const) await view(name)
  const countries: number[] = []
  for (let index = 0; index < 12; index += 1) {
    countries.push(await addItem(client, 'countries', { name: `Country ${index}` }))
  }
  const cities: number[] = []
  for (let index = 0; index < 12; index += 1) {
    const twin = index % 4 === 3 ? { twin: cities[index - 3] } : {}
    const city = { name: `City ${index}`, country: countries[index], ...twin }
    cities.push(await addItem(client, 'cities', city as never))
  }
  const rows = Array.from({ length: 600 }, (_, at) =>
    JSON.stringify({
      title: `Photo ${at}`,
      ...(at % 50 === 1 && { place: cities[(at - 1) / 50] }),
    }),
  )
  const body = `${rows.join('\n')}\n`
  await client.importBegin({ datasetId: 'photos', format: 'ndjson', body } as never)
  const image = new Blob([png], { type: 'image/png' })
  await addItem(client, 'photos', { title: 'Picture 1', image, place: cities[11]! })
}, 120_000)

afterAll(() => server.close())

async function bundle(datasetId: string, at?: number): Promise<Files> {
  const input = { datasetId, format: 'bundle', ...(at !== undefined && { at }) } as const
  const reply = await openReply(server.client, 'datasetExport', input)
  return readArchive(Buffer.from(await reply.arrayBuffer()))
}

const contentsOf = (files: Files) =>
  JSON.parse(files.get('bundle.json')!.toString()) as BundleContents

const linesOf = (files: Files, name: string) =>
  files.get(`items/${name}.ndjson`)!.toString().split('\n').slice(0, -1)
const namesIn = (files: Files, name: string) =>
  linesOf(files, name).map((line) => (JSON.parse(line) as { name: string }).name)

test('a bundle of a repository has all of it, what it refers to, and proofs of both', async () => {
  const files = await bundle('photos')
  const { damage, verified } = await verify(files)
  expect(damage).toEqual([])
  const key = (await (await server.client.logKey({})).text()).trim()
  expect(verified).toMatchObject({ dataset: 'photos', at: 601, key, files: 1 })
  const logKey = await (await server.client.logVerifierKey({ datasetId: 'photos' })).text()
  expect(files.get('tlog-policy/photos')!.toString()).toBe(`log ${logKey}quorum none\n`)
  expect((await verify(files, key)).damage).toEqual([])
  expect(contentsOf(files).datasets).toMatchObject([
    { kind: 'repo', description: { name: 'countries' }, items: 12, size: 12 },
    { kind: 'repo', description: { name: 'cities' }, items: 12, size: 12 },
    { kind: 'view', description: { name: 'towns', base: 'cities' } },
    { kind: 'repo', description: { name: 'photos' }, items: 601, size: 601 },
  ])
  expect(verified.items).toBe(625)
})

test('a bundle of a view has the items that it needs, and what they refer to in turn', async () => {
  const files = await bundle('named', 60)
  const { damage, verified } = await verify(files)
  expect(damage).toEqual([])
  expect(verified).toMatchObject({ dataset: 'named', at: 60 })
  // Photos 1, 11, 21, 31, 41 and 51, of which 1 and 51 are of cities 0 and 1.
  expect(linesOf(files, 'photos')).toHaveLength(6)
  expect(files.get('members')!.toString().split('\n')).toHaveLength(7)
  expect(namesIn(files, 'cities')).toEqual(['City 0', 'City 1'])
  expect(namesIn(files, 'countries')).toEqual(['Country 0', 'Country 1'])
})

test('a bundled view has the items that it refers to, and those that its limit depends on', async () => {
  const twins = await server.client.viewCreate({
    body: { name: 'twins', base: 'cities', where: { name: { eq: 'City 7' } } },
  })
  expect(twins.name).toBe('twins')
  const files = await bundle('twins')
  expect((await verify(files)).damage).toEqual([])
  expect(namesIn(files, 'cities')).toEqual(['City 4', 'City 7'])

  // City 0 and City 1, which refer to none of the others.
  const least = await bundle('least')
  expect((await verify(least)).damage).toEqual([])
  expect(namesIn(least, 'cities')).toEqual(['City 0', 'City 1'])
  // City 9 and City 8 without a twin in between.
  await server.client.viewCreate({
    body: { name: 'greatest', base: 'cities', order: '-natural:name', limit: 1 },
  })
  const greatest = await bundle('greatest')
  expect((await verify(greatest)).damage).toEqual([])
  expect(namesIn(greatest, 'cities')).toHaveLength(12)
})

test('the same state is the same bundle, whatever was added', async () => {
  const first = await bundle('odd', 300)
  await addItem(server.client, 'photos', { title: 'Later 1' })
  await addItem(server.client, 'countries', { name: 'Later' })
  expect(await bundle('odd', 300)).toEqual(first)
})

test('a part of a dataset is no bundle', async () => {
  const refused = server.client.datasetExport({
    datasetId: 'photos',
    format: 'bundle',
    to: 3,
    q: 'cat',
  } as never)
  await expect(refused).rejects.toMatchObject({ code: 'QUERY_INVALID' })
})

const altered = (files: Files, path: string, alter: (bytes: Buffer) => Buffer): Files =>
  new Map(files).set(path, alter(files.get(path)!))

const inRows = (files: Files, name: string, alter: (lines: string[]) => string[]): Files =>
  altered(files, `items/${name}.ndjson`, (bytes) => {
    const lines = alter(bytes.toString().split('\n').slice(0, -1))
    return Buffer.from(lines.map((line) => `${line}\n`).join(''))
  })

test('every tampering is named', async () => {
  const files = await bundle('odd')
  const damageOf = async (tampered: Files, key?: string) => (await verify(tampered, key)).damage
  const { id } = JSON.parse(linesOf(files, 'photos')[3]!) as { id: number }

  const value = inRows(files, 'photos', (lines) =>
    lines.with(3, lines[3]!.replace('"Photo 31"', '"Photo 32"')),
  )
  expect(await damageOf(value)).toMatchObject(
    [{ dataset: 'photos', item: id, field: 'title', what: /is not what has the digest/ }].map(
      (each) => ({ ...each, what: expect.stringMatching(each.what) }),
    ),
  )

  const digest = Buffer.from(sha256(Buffer.from('Photo 32'))).toString('hex')
  const both = inRows(value, 'photos', (lines) =>
    lines.with(3, lines[3]!.replace(/"title.sha256":"[^"]*"/, `"title.sha256":"${digest}"`)),
  )
  expect(await damageOf(both)).toEqual([
    { dataset: 'photos', item: id, what: 'is not what its entry in the log says' },
  ])

  const moment = inRows(files, 'photos', (lines) =>
    lines.with(3, lines[3]!.replace(/"createdAt":"20../, '"createdAt":"1999')),
  )
  expect(await damageOf(moment)).toEqual([
    { dataset: 'photos', item: id, what: 'was not added when its entry in the log says' },
  ])

  const removed = inRows(files, 'photos', (lines) => lines.toSpliced(3, 1))
  expect(await damageOf(removed)).toEqual([
    { dataset: 'photos', item: id, what: 'is in the log alone' },
    { dataset: 'odd', item: id, what: 'is not in the bundle' },
  ])
  const added = inRows(files, 'photos', (lines) =>
    lines.toSpliced(3, 0, lines[3]!.replace(/"id":\d+/, '"id":9999')),
  )
  expect(await damageOf(added)).toEqual([
    { dataset: 'photos', item: 9999, what: 'is not in the log' },
  ])
  const referred = inRows(files, 'countries', (lines) => lines.slice(1))
  expect(await damageOf(referred)).toEqual([
    { dataset: 'countries', item: 1, what: 'is in the log alone' },
    expect.objectContaining({
      item: 1,
      field: 'country',
      what: 'leads to item 1 of countries, which the bundle lacks',
    }),
  ])

  const parts = await allOf(readLogParts(single(files.get('log/photos')!)))
  const at = parts.findIndex(
    (part) => part.kind === 'entry' && Buffer.from(part.entry).includes(`"id":${id},`),
  )
  const part = parts[at]!
  if (part.kind !== 'entry') throw new Error('it is no entry')
  const withPart = (other: typeof parts) =>
    altered(files, 'log/photos', () => Buffer.concat(other.map(writeLogPart)))
  const author = Buffer.from(part.entry).toString().replace('"by":"alice"', '"by":"mallory"')
  const entry = new Uint8Array(Buffer.from(author))
  expect(await damageOf(withPart(parts.with(at, { ...part, entry })))).toEqual([
    { dataset: 'photos', item: id, what: 'is not what its entry in the log was made of' },
  ])
  const leaf = sha256(Buffer.concat([Buffer.of(0), entry]))
  expect(await damageOf(withPart(parts.with(at, { ...part, entry, leaf })))).toEqual([
    {
      dataset: 'photos',
      log: 'photos',
      what: 'its entries are not those that the checkpoint is signed for',
    },
  ])
  const omitted = inRows(withPart(parts.toSpliced(at, 1)), 'photos', (lines) =>
    lines.toSpliced(3, 1),
  )
  expect(await damageOf(omitted)).toContainEqual({
    dataset: 'photos',
    log: 'photos',
    what: `it has ${contentsOf(files).at - 1} entries, and the checkpoint is of ${contentsOf(files).at}`,
  })

  const publicKey = new Uint8Array(32).fill(7)
  const { key } = contentsOf(files)
  const foreign = verifierKeyText(await makeVerifierKey({ name: key.split('+')[0]!, publicKey }))
  const unsigned = (await damageOf(files, foreign)).filter((each) => 'log' in each)
  expect(unsigned).toHaveLength(3)
  expect(unsigned[0]!.what).toBe(`its checkpoint is not signed by the key ${foreign}`)
  const other = altered(files, 'bundle.json', (bytes) =>
    Buffer.from(bytes.toString().replace(`"${key}"`, `"${foreign}"`)),
  )
  expect((await damageOf(other)).filter((each) => 'log' in each)).toHaveLength(3)

  const policy = altered(files, 'tlog-policy/cities', () => files.get('tlog-policy/photos')!)
  expect(await damageOf(policy)).toEqual([
    { dataset: 'cities', log: 'cities', what: 'its tlog-policy has another key' },
  ])

  const swapped = altered(files, 'bundle.json', (bytes) => {
    const contents = JSON.parse(bytes.toString()) as BundleContents
    const [first, second] = contents.datasets as { checkpoint: string }[]
    first!.checkpoint = second!.checkpoint
    return Buffer.from(JSON.stringify(contents))
  })
  expect((await damageOf(swapped))[0]!.what).toMatch(
    /that of another log: .*\/repo\/cities\.[0-9a-f]{10}\/log$/,
  )
})

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

test('files are verified by their bytes, and named by the item that has them', async () => {
  const files = await bundle('photos')
  const path = [...files.keys()].find((each) => each.startsWith('files/'))!
  const damaged = await verify(altered(files, path, (bytes) => bytes.subarray(1)))
  expect(damaged.damage).toMatchObject([{ dataset: 'photos', field: 'image' }])
  const missing = new Map(files)
  missing.delete(path)
  expect((await verify(missing)).damage[0]!.what).toMatch(/its file cannot be read: .* is not in/)
})

test('a whole repository that lacks items is told, though the log can be completed', async () => {
  const files = await bundle('photos')
  const parts = await allOf(readLogParts(single(files.get('log/photos')!)))
  const first = parts[0]!
  if (first.kind !== 'entry') throw new Error('it is no entry')
  const cut = parts.with(0, { kind: 'omitted', entries: 1, root: first.leaf })
  const tampered = inRows(
    altered(files, 'log/photos', () => Buffer.concat(cut.map(writeLogPart))),
    'photos',
    (lines) => lines.slice(1),
  )
  expect((await verify(tampered)).damage).toMatchObject([
    { log: 'photos', what: expect.stringMatching(/the bundle has not all of its \d+ items/) },
  ])
})

test('a bundle whose logs are named as they were before generations is verified', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const name = 'https://example.org'
  const key = await makeVerifierKey({ name, publicKey: new Uint8Array(x) })
  const before = altered(await bundle('photos'), 'bundle.json', (bytes) => {
    const contents = JSON.parse(bytes.toString()) as BundleContents
    const datasets = contents.datasets.map((dataset) => {
      if (dataset.kind === 'view') return dataset
      const { root, size } = readCheckpoint(readNote(dataset.checkpoint)!.text)!
      const text = checkpointText({
        origin: `${name}/repo/${dataset.description.name}`,
        size,
        root,
      })
      return {
        ...dataset,
        checkpoint: noteText(text, key, sign(null, Buffer.from(text), privateKey)),
      }
    })
    return Buffer.from(JSON.stringify({ ...contents, datasets, key: verifierKeyText(key) }))
  })
  for (const path of before.keys()) if (path.startsWith('tlog-policy/')) before.delete(path)
  expect((await verify(before)).damage).toEqual([])
})
