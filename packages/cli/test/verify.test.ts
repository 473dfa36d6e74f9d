import { hash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onePixel } from './demo-sets.ts'
import { type Installation, openInstallation } from './installation.ts'

/** What formats write in ways of their own. */
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
  expect(sound.stdout).toContain('Verified cats: 1 item, 2 values, 73 bytes.')

  // The server may be writing.
  const database = new DatabaseSync(join(here.folder, 'data', 'vitrine.db'), { timeout: 10_000 })
  const { changes } = database.prepare("update items_1 set f0 = 'changed' where id = 3").run()
  database.close()
  expect(changes).toBe(1)
  const sha256 = hash('sha256', onePixel)
  const blobs = globSync(join(here.folder, 'data', 'blobs', '**', `*${sha256.slice(8)}`))
  expect(blobs).toHaveLength(1)
  const bytes = Buffer.from(onePixel)
  bytes[60]! ^= 1
  writeFileSync(blobs[0]!, bytes)

  const found = await here.run(['verify'])
  expect(found.code).toBe(8)
  expect(found.stdout).toContain('notes: item 3, text: is not what has the digest ')
  expect(found.stdout).toContain('cats: item 1, picture: its bytes have the digest ')
  expect(found.stderr).toBe('Damaged: 2 values.\n')
})
