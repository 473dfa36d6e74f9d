import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { closeSync, globSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { Damage } from '../src/bulk/verified.ts'
import { openZipArchive } from '../src/bulk/zip-archive.ts'
import { verifyDataset } from '../src/bulk/verify-dataset.ts'
import { onePixel } from './demo-sets.ts'
import { type Installation, openInstallation } from './installation.ts'
import { createIo } from './vitrine.ts'

/** Texts that formats write in ways of their own. */
const texts = ['=7', "'=7", '-1', 'two\r\nlines', '"quoted", with\u2028', '', ' \ufeff🦊\t']

let here: Installation
let file: (name: string) => string

beforeAll(async () => {
  here = await openInstallation()
  file = (name) => join(here.folder, name)
  await here.login()
  const text = '{ name: text, type: string }'
  const more = '{ name: more, type: string, optional: true }'
  const picture = '{ name: picture, type: binary, mime: image/png }'
  here.write('notes.yaml', `name: notes\nschema:\n  - ${text}\n  - ${more}\n`)
  here.write('cats.yaml', `name: cats\nschema:\n  - ${text}\n  - ${picture}\n`)
  await here.run(['create', '-f', file('notes.yaml'), '-f', file('cats.yaml')])
  const rows = texts.map((text) => `${JSON.stringify({ text })}\n`)
  here.write('notes.ndjson', rows.join(''))
  await here.run(['import', 'notes', file('notes.ndjson')])
  await here.run(['add', 'cats', 'text=Tom', `picture=@${here.write('cat.png', onePixel)}`])
}, 120_000)
afterAll(() => here.close())

/** The file that a value's bytes are kept in. */
function blobFile(bytes: string | Buffer): string {
  const digest = hash('sha256', bytes)
  const files = globSync(join(here.folder, 'data', 'blobs', '**', `*${digest.slice(8)}`))
  expect(files).toHaveLength(1)
  return files[0]!
}

async function exported(dataset: string, name: string, ...words: string[]): Promise<string> {
  await here.run(['export', dataset, ...words, '-o', file(name)])
  return file(name)
}

test.each(['ndjson', 'csv', 'tsv', 'parquet'])(
  'an export as %s is verified, and a change found',
  async (format) => {
    const output = await exported('notes', `sealed.${format}`, '--integrity')
    const [told] = await here.json(['verify', '--file', output])
    const bytes = Buffer.byteLength(texts.join(''))
    expect(told).toEqual({ verified: output, items: texts.length, values: texts.length, bytes })

    const changed = readFileSync(output, 'latin1').replace('two', 'tvo')
    writeFileSync(output, changed, 'latin1')
    const found = await here.run(['verify', '--file', output])
    expect(found.code).toBe(8)
    expect(found.stdout).toContain(`${output}: item 4, text: is not what has the digest `)
    expect(found.stderr).toBe('Damaged: 1 value.\n')

    await exported('notes', `sealed.${format}`)
    expect((await here.run(['verify', '--file', output])).stderr).toContain('has no digests.')
  },
)

test('an export as a workbook is verified, and a change found', async () => {
  const output = await exported('notes', 'sealed.xlsx', '--integrity')
  const [told] = await here.json(['verify', '--file', output])
  const bytes = Buffer.byteLength(texts.join(''))
  expect(told).toEqual({ verified: output, items: texts.length, values: texts.length, bytes })

  const archive = await openZipArchive(output)
  const changed = new ZipFile()
  for (const path of [
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
  ]) {
    const xml = await text(await archive.open(path))
    changed.addBuffer(Buffer.from(xml.replace('two', 'tvo')), path)
  }
  archive.close()
  changed.end()
  writeFileSync(output, await buffer(changed.outputStream))
  const found = await here.run(['verify', '--file', output])
  expect(found.code).toBe(8)
  expect(found.stdout).toContain(`${output}: item 4, text: is not what has the digest `)
})

test('an export as a zip is verified with its files, with digests in its rows or without', async () => {
  const plain = await exported('cats', 'plain.zip')
  const [seen] = await here.json(['verify', '--file', plain])
  expect(seen).toEqual({ verified: plain, items: 1, values: 0, files: 2, bytes: onePixel.length })
  const output = await exported('cats', 'sealed.zip', '--integrity')
  const told = await here.run(['verify', '--file', output])
  expect(told).toEqual({
    code: 0,
    stdout: `Verified ${output}: 1 item, 2 values, 2 files, ${onePixel.length + 3} bytes.\n`,
    stderr: '',
  })

  const bytes = readFileSync(output)
  bytes[bytes.indexOf(onePixel) + 60]! ^= 1
  writeFileSync(output, bytes)
  const found = await here.run(['verify', '--file', output])
  expect(found.code).toBe(8)
  const path = `files/${hash('sha256', onePixel)}.png`
  expect(found.stdout).toContain(`${output}: ${path}: has the digest `)
  expect(found.stdout).toContain(`${output}: item 1, picture: is not what has the digest `)

  writeFileSync(output, bytes.subarray(0, -40))
  const cut = await here.run(['verify', '--file', output])
  expect(cut.stderr).toContain(`${output} cannot be read`)
  expect(cut.code).toBe(6)
})

test.for([
  [['verify', 'notes', '--file', 'x'], 2, 'Name datasets or files, not both.'],
  [['verify', '--file', 'notes.xls'], 2, 'notes.xls is no export that can be verified'],
  [['verify', '--file', 'none.ndjson'], 6, 'none.ndjson cannot be read'],
  [['verify', '--file', 'none.csv'], 6, 'none.csv cannot be read'],
  [['verify', '--file', 'none.zip'], 6, 'none.zip cannot be read'],
  [['verify', 'nothing'], 4, 'Dataset not found.'],
] as [string[], number, string][])('%j ends with %i', async ([words, code, sentence]) => {
  const ended = await here.run(words)
  expect(ended.stderr).toContain(sentence)
  expect(ended).toMatchObject({ code, stdout: '' })
})

test('a server is verified down to the last byte', async () => {
  const sound = await here.run(['verify', 'notes', 'cats'])
  expect(sound).toMatchObject({ code: 0, stderr: '' })
  expect(sound.stdout).toContain('Verified cats: 1 item, 2 values, 73 bytes, a log of 1.')

  // The server may be writing.
  const database = new DatabaseSync(join(here.folder, 'data', 'vitrine.db'), { timeout: 10_000 })
  const { changes } = database.prepare("update items_1 set f0 = 'changed' where id = 3").run()
  database.close()
  expect(changes).toBe(1)
  const bytes = Buffer.from(onePixel)
  bytes[60]! ^= 1
  writeFileSync(blobFile(onePixel), bytes)

  const found = await here.run(['verify'])
  expect(found.code).toBe(8)
  expect(found.stdout).toContain('notes: item 3, text: is not what has the digest ')
  expect(found.stdout).toContain('cats: item 1, picture: its bytes have the digest ')
  expect(found.stderr).toBe('Damaged: 2 values, 1 item, 1 log.\n')
})

test('it goes on after damage, and names every item that shares it', async () => {
  const two =
    '  - { name: front, type: binary, mime: text/plain }\n  - { name: back, type: binary, mime: text/plain }\n'
  await here.run(['create', '-f', here.write('cards.yaml', `name: cards\nschema:\n${two}`)])
  const [gone, sound] = ['a picture that goes missing', 'a sound picture'].map((text, index) =>
    here.write(`card-${index}.txt`, text),
  )
  const add = (front?: string, back?: string) =>
    here.run(['add', 'cards', `front=@${front};type=text/plain`, `back=@${back};type=text/plain`])
  await add(sound, sound)
  await add(gone, sound)
  await add(sound, gone)
  await add(gone, gone)
  rmSync(blobFile('a picture that goes missing'))

  const found = await here.run(['verify', 'cards'])
  expect(found.code).toBe(8)
  const lines = found.stdout.split('\n').filter(Boolean)
  expect(lines.slice(0, -1).toSorted()).toEqual(
    ['item 2, front', 'item 3, back', 'item 4, back', 'item 4, front'].map(
      (place) => `cards: ${place}: cannot be read: the server cannot read it`,
    ),
  )
  expect(lines.at(-1)).toBe('Verified cards: 4 items, 8 values, 15 bytes, a log of 4.')
  expect(found.stderr).toBe('Damaged: 4 values.\n')
})

test('a value that never comes is damaged, and the next one is looked at', async () => {
  const schema = '  - { name: film, type: binary, mime: text/plain }\n'
  await here.run(['create', '-f', here.write('films.yaml', `name: films\nschema:\n${schema}`)])
  for (const text of ['a film that hangs', 'a film that plays']) {
    await here.run(['add', 'films', `film=@${here.write('film.txt', text)};type=text/plain`])
  }
  const path = blobFile('a film that hangs')
  rmSync(path)
  execFileSync('mkfifo', [path])
  const damage: Damage[] = []
  const verified = await verifyDataset(here.client(), 'films', {
    io: createIo(),
    seen: new Map(),
    signal: new AbortController().signal,
    onDamage: (found) => damage.push(found),
    silenceMs: 500,
  })
  // Lets go of those that still wait at the pipe.
  closeSync(openSync(path, 'r+'))
  const what = 'cannot be read: nothing came for 0.5 s after 0 bytes'
  expect(damage).toEqual([{ item: 1, field: 'film', what }])
  expect(verified).toEqual({ items: 2, values: 2, bytes: 17 })
})
