import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

const rowCount = 30_000

let here: Installation
let file: (name: string) => string

beforeAll(async () => {
  here = await openInstallation()
  file = (name) => join(here.folder, name)
  await here.login()
  here.write('notes.yaml', 'name: notes\nschema:\n  - { name: text, type: string }\n')
  await here.run(['create', '-f', file('notes.yaml')])
  const rows = Array.from(
    { length: rowCount },
    (_, row) => `{"text":"=${row}\u2028, \\"ä\\"\\n"}\n`,
  )
  here.write('notes.ndjson', rows.join(''))
  await here.run(['import', 'notes', file('notes.ndjson')])
}, 120_000)
afterAll(() => here.close())

test('a dataset is exported into a file, or to another program', async () => {
  const output = file('notes.csv')
  const { code, stdout } = await here.run(['export', 'notes', '--guard', '-o', output])
  expect(stdout).toMatch(/^Wrote \S+: 30,000 rows, [\d,]+ bytes\.\n$/)
  expect(code).toBe(0)
  expect(readFileSync(output, 'utf8')).toMatch(/^\ufeffid,createdAt,text\r\n1,[^,]+,"'=0/)
  const piped = await here.run(['export', 'notes', '--from', '5', '--to', '7'])
  expect(
    piped.stdout
      .trim()
      .split('\n')
      .map((row) => (JSON.parse(row) as { id: number }).id),
  ).toEqual([6, 7])
  const [told] = await here.json(['export', 'notes', '--format', 'csv', '-o', output])
  expect(told).toMatchObject({ file: output, rows: rowCount })
  expect(readFileSync(output, 'utf8')).toContain(',"=0')
})

test('some of its items are exported, in an order', async () => {
  const output = file('some.csv')
  const some = ['--where', 'text: { starts_with: "=12" }', '--order=-text', '-q', '345']
  const { stdout, code } = await here.run(['export', 'notes', ...some, '-o', output])
  expect(stdout).toMatch(/^Wrote \S+: 1 row, [\d,]+ bytes\.\n$/)
  expect(code).toBe(0)
  const piped = await here.run(['export', 'notes', ...some.slice(0, 3), '--from', '1', '--to', '3'])
  // U+2028 comes after all digits.
  expect(piped.stdout.match(/"text":"=\d+/g)).toEqual(['"text":"=129', '"text":"=1299'])
})

test('a file exported with digests can be imported into another repository', async () => {
  const output = file('copy.ndjson')
  await here.run(['export', 'notes', '--integrity', '-o', output])
  here.write('copy.yaml', 'name: copy\nschema:\n  - { name: text, type: string }\n')
  await here.run(['create', '-f', file('copy.yaml')])
  expect((await here.run(['import', 'copy', output])).stdout).toBe('Added 30,000 items to copy.\n')
})

test('an export that fails leaves nothing', async () => {
  const output = file('nothing.csv')
  expect((await here.run(['export', 'nothing', '-o', output])).code).toBe(4)
  expect(globSync(`${output}*`)).toEqual([])
  const unwritable = await here.run(['export', 'notes', '-o', file('no/folder.csv')])
  expect(unwritable.stderr).toContain('could not be written')
  expect(unwritable.code).toBe(1)
})

test.for([
  [['export', 'notes', '-o', 'notes.xls'], 2, 'Say which of ndjson, csv'],
  [['export', 'notes', '--from', 'x'], 2, '--from takes a number.'],
  [['export', 'notes', '--where', 'x'], 2, '--where takes a condition'],
  [['export', 'notes', '--where', 'x: { eq: a }'], 6, 'where.x'],
] as [string[], number, string][])('%j ends with %i', async ([words, code, sentence]) => {
  const ended = await here.run(words)
  expect(ended.stderr).toContain(sentence)
  expect(ended).toMatchObject({ code, stdout: '' })
})
