import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from './photos.ts'
import { tar, zip, type Entry } from './sample-archives.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const title = { name: 'title', type: 'string', length: 30 }
  const image = { name: 'image', type: 'binary', mime: 'image/png' }
  await server.client.repoCreate({ body: { name: 'photos', schema: [title, image] } })
})
afterAll(() => server.close())

/** The titles of the items that an archive makes, each of which has the picture. */
async function imported(body: BodyInit, format: 'zip' | 'tar' = 'zip') {
  const { items } = await server.client.importBegin({ datasetId: 'photos', format, body })
  const all = await server.client.datasetItemList({ datasetId: 'photos', pageSize: 1000 })
  return all.slice(items!.from, items!.to).map(({ data }) => data['title'])
}

/** Takes the flag away that says that names are UTF-8 (APPNOTE.TXT §4.4.4), in both headers of an entry. */
function withoutFlag(bytes: Buffer): Buffer {
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 4)) {
      bytes.writeUInt16LE(bytes.readUInt16LE(at + flags) & ~0x800, at + flags)
    }
  }
  return bytes
}

const composed = 'Zoë/Köln.png'
const decomposed = composed.normalize('NFD')
const rowsOf = (name: string): Entry => ['rows.csv', `title,image\nx,${name}\n`]

describe('a file is found by its name', () => {
  test.each<[what: string, body: () => BodyInit | Promise<BodyInit>, format?: 'tar']>([
    ['in UTF-8 without a flag', () => zip([rowsOf(composed), [composed, png]], withoutFlag)],
    ['decomposed by macOS', () => zip([rowsOf(composed), [decomposed, png]], withoutFlag)],
    ['decomposed in the row', () => zip([rowsOf(decomposed), [composed, png]])],
    ['with the separators of Windows', () => zip([rowsOf('a/b.png'), ['a\\b.png', png]])],
    ['with those of Windows in the row', () => zip([rowsOf('a\\b.png'), ['a/b.png', png]])],
    ['with ./ before it', () => zip([rowsOf('a.png'), ['./a.png', png]])],
    ['with ./ in the row', () => zip([rowsOf('./a.png'), ['a.png', png]])],
    [
      'with ./ before it, in tar',
      () =>
        tar([
          ['./', '', '5'],
          ['./rows.csv', rowsOf('a.png')[1]],
          ['./a.png', png],
        ]),
      'tar',
    ],
    [
      'decomposed in tar',
      () => tar([rowsOf(composed) as [string, string], [decomposed, png]]),
      'tar',
    ],
  ])('%s', async (_what, body, format) => {
    expect(await imported(await body(), format)).toEqual(['x'])
  })
})

test('files that operating systems add to an archive are ignored', async () => {
  const body = await zip([
    ['photos/rows.csv', 'title,image\nx,a.png\n'],
    ['photos/a.png', png],
    ['photos/._a.png', 'x'],
    ['._photos', 'x'],
    ['__MACOSX/photos/._rows.csv', 'x'],
    ['.DS_Store', 'x'],
    ['Thumbs.db', 'x'],
    ['other/desktop.ini', 'x'],
    ['@eaDir/a.png/thumb', 'x'],
    ['.Spotlight-V100/store', 'x'],
  ])
  expect(await imported(body)).toEqual(['x'])
})

test('names that are the same composed otherwise are there twice', async () => {
  const body = await zip([rowsOf(composed), [composed, png], [decomposed, png]])
  await expect(imported(body)).rejects.toMatchObject({
    problems: [expect.stringContaining('is there twice')],
  })
})

test.each(['..\\evil.png', 'a\\..\\..\\evil.png', 'C:\\evil.png'])(
  '%s is refused',
  async (name) => {
    const body = tar([rowsOf(name) as [string, string], [name, png]])
    await expect(imported(body, 'tar')).rejects.toMatchObject({ code: 'IMPORT_MALFORMED' })
  },
)

describe('texts that differ only in Unicode normalization', () => {
  const [nfc, nfd] = ['Zoë', 'Zoë'.normalize('NFD')]

  test('are found by a lookup, which prefers an exact match', async () => {
    const { client } = server
    const schema = [{ name: 'name', type: 'string', length: 10 }]
    await client.repoCreate({ body: { name: 'people', schema } })
    const add = (body: string) =>
      client.importBegin({ datasetId: 'people', format: 'csv', body: `name\n${body}\n` })
    const first = (await add(nfd)).items!.firstId
    const reference = { name: 'of', type: 'reference', target: 'people' }
    await client.repoCreate({ body: { name: 'pets', schema: [reference] } })
    const lookUp = async (name: string) => {
      const body = `of.lookup.name\n${name}\n`
      const { items } = await client.importBegin({ datasetId: 'pets', format: 'csv', body })
      const pet = await client.datasetItemGet({ datasetId: 'pets', itemId: items!.firstId })
      return pet.data['of']
    }
    expect(await lookUp(nfc)).toBe(first)
    const second = (await add(nfc)).items!.firstId
    expect(await lookUp(nfc)).toBe(second)
    expect(await lookUp(nfd)).toBe(first)
    const [kept] = await client.datasetItemList({ datasetId: 'people' })
    expect(kept!.data).toEqual({ name: nfd })
  })

  test('match the same choice, which is stored as the schema lists it', async () => {
    const { client } = server
    const schema = [{ name: 'who', type: 'string', length: 10, choices: [nfc, 'Ada'] }]
    await client.repoCreate({ body: { name: 'votes', schema } })
    await client.importBegin({ datasetId: 'votes', format: 'csv', body: `who\n${nfd}\n` })
    const [vote] = await client.datasetItemList({ datasetId: 'votes' })
    expect(vote!.data).toEqual({ who: nfc })
  })
})
