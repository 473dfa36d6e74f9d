import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatasetInfo, SealedItem } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onePixel } from './demo-sets.ts'
import { type Installation, openInstallation } from './installation.ts'

const people = `---
name: people
schema:
  - { name: name, type: string, length: 40 }
`
const cats = `---
name: cats
schema:
  - { name: name, type: string, length: 20 }
  - { name: owner, type: reference, target: people }
  - { name: picture, type: binary, mime: image/*, optional: true }
`
const view = `---
name: cat-names
base: cats
fields: [name]
`

let here: Installation
/** In the folder of the test. */
let file: (name: string) => string

beforeAll(async () => {
  here = await openInstallation()
  file = (name) => join(here.folder, name)
  await here.login()
  here.write('people.yaml', people)
  here.write('cats.yaml', cats)
  here.write('view.yaml', view)
  here.write('cat.png', onePixel)
})
afterAll(() => here.close())

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

test('from a description to items and back', async () => {
  const files = ['people.yaml', 'cats.yaml', 'view.yaml'].flatMap((name) => ['-f', file(name)])
  expect(await here.run(['create', ...files])).toEqual({
    code: 0,
    stdout:
      'Created the repository people.\nCreated the repository cats.\nCreated the view cat-names.\n',
    stderr: '',
  })
  expect((await here.run(['create', ...files])).stdout).toBe(
    'The repository people is there already.\nThe repository cats is there already.\nThe view cat-names is there already.\n',
  )
  expect(await here.run(['add', 'people', 'name=Ada = Lovelace'])).toMatchObject({
    code: 0,
    stdout: 'Added item 1 to people.\n',
  })
  const words = ['add', 'cats', 'name=@@tom', 'owner=1', `picture=@${file('cat.png')}`]
  const [added] = await here.json<{ id: number }>(words)
  expect(added).toEqual({ id: 1 })

  const [item] = await here.json<SealedItem>(['show', 'cats', '1'])
  expect(item?.data).toEqual({ name: '@tom', owner: 1, picture: sha256(onePixel) })
  expect(item?.integrity?.['name']?.sha256).toBe(sha256('@tom'))
  expect(item?.integrity?.['picture']?.mime).toBe('image/png')
  expect((await here.run(['show', 'cats', '1'])).stdout).toContain(
    `name\t@tom\t4\t${sha256('@tom')}`,
  )

  const copy = file('copy.png')
  expect((await here.run(['show', 'cats', '1', 'picture', '-o', copy])).code).toBe(0)
  expect(readFileSync(copy)).toEqual(onePixel)
  expect((await here.run(['show', 'cats', '1', 'name'])).stdout).toBe('@tom')

  expect((await here.run(['ls', '--views'])).stdout).toMatch(/^cat-names\tcats\t2\S+Z\n$/)
  expect((await here.run(['ls', 'cats'])).stdout).toBe(`1\t@tom\t1\t${sha256(onePixel)}\n`)
  const found = await here.run(['ls', '--find', 'PICT', '--repos'])
  expect(found.stdout).toMatch(/^cats\trepo\t1\t2\S+Z\t\n$/)
  expect((await here.run(['ls', '--find', 'nowhere'])).stdout).toBe('')
  const datasets = await here.json<DatasetInfo>(['ls'])
  expect(datasets.map(({ name }) => name)).toEqual(['cat-names', 'cats', 'people'])
  const [info] = await here.json<DatasetInfo & { totalItems: number }>(['show', 'cats'])
  expect(info).toMatchObject({ totalItems: 1, referencedBy: ['cat-names'] })
  expect((await here.run(['show', 'cat-names'])).stdout).toContain('view of cats')
})

test('lists end where they are told to', async () => {
  here.write('lines.yaml', 'name: lines\nschema:\n  - { name: text, type: string }\n')
  await here.run(['create', '-f', file('lines.yaml')])
  for (const text of ['a', 'b', 'c']) await here.run(['add', 'lines', `text=${text}`])
  expect((await here.run(['ls', 'lines', '--limit', '2'])).stdout).toBe('1\ta\n2\tb\n')
  expect((await here.run(['ls', 'lines', '--limit', '0'])).stdout).toBe('')
  expect((await here.run(['ls', 'lines', '--find', 'B'])).stdout).toBe('2\tb\n')
  const asked = ['ls', 'lines', '--find', 'b', '--where', 'id: { lt: 2 }']
  expect((await here.run(asked)).stdout).toBe('')
  await here.run(['add', 'lines', 'text=\u001b[31mred\n\u202e'])
  const { stdout } = await here.run(['ls', 'lines'])
  expect(stdout.split('\n')[3]).toBe('4\t\\u001b[31mred\\u000a\\u202e')
})

test('another description under the same name shows how the two differ', async () => {
  const other = here.write('other.yaml', people.replace('40', '50'))
  const { code, stderr } = await here.run(['create', '-f', other])
  expect(code).toBe(5)
  expect(stderr).toContain('There is another repository people already.')
  expect(stderr).toContain('  -     length: 40\n  +     length: 50\n')
})

test('an invalid description is refused with its file and line', async () => {
  const broken = here.write(
    'broken.yaml',
    cats.replace('cats', 'dogs').replace('target: people', 'target: peple'),
  )
  const refused = await here.run(['create', '-f', broken])
  expect(refused.code).toBe(6)
  expect(refused.stderr).toContain(`${broken}:5:`)
  expect(refused.stderr).toContain('did you mean "people"?')
  const twice = await here.run(['create', '-f', '-'], { stdin: 'name: a\nname: b\n' })
  expect(twice.code).toBe(6)
  expect(twice.stderr).toContain('standard input:2:1: ')
  const bare = await here.run(['create', '-f', '-'], { stdin: 'name: a\n' })
  expect(bare.stderr).toContain('standard input:1:1: schema is required')
  expect((await here.run(['create', '-f', file('none.yaml')])).stderr).toContain('cannot be read')
})

test.for([
  [['add', 'cats', 'name=Tom'], 6, 'Data does not conform to schema.\n  owner: '],
  [['add', 'cats', 'name=Tom', 'owner=9'], 6, 'owner: '],
  [['add', 'cats', 'nam=Tom'], 4, 'There is no field nam. The fields are name, owner, picture.'],
  [['add', 'cats', 'Tom'], 2, 'Tom is no <field>=<value>.'],
  [['add', 'cats', 'picture=cat.png'], 2, 'picture takes the bytes of a file: picture=@<file>.'],
  [['add', 'cats', 'picture=@/nowhere/cat.png'], 6, '/nowhere/cat.png cannot be read'],
  [['add', 'nothing', 'name=Tom'], 4, 'Dataset not found.\n`vitrine ls` lists'],
  [['add', 'cat-names', 'name=Tom'], 4, 'Repo or item not found'],
  [['show', 'nothing'], 4, 'Dataset not found.'],
  [['show', 'cats', '99'], 4, 'Dataset or item not found.'],
  [['show', 'cats', 'Tom'], 2, 'An item is named by its id, a number.'],
  [['ls', 'nothing'], 4, 'ot found.'],
  [['ls', '--repos', '--views'], 2, '`vitrine ls --help` shows'],
  [['ls', 'cats', '--find', 'x'.repeat(201)], 6, 'q: must be at most 200 characters'],
  [['ls', '--limit', 'all'], 2, '--limit takes a number.'],
  [['create'], 2, 'Name a file with -f.'],
  [['rm', 'cats'], 2, 'give --yes to delete it.'],
  [['rm', 'nothing', '--yes'], 4, 'Dataset not found.'],
  [['rm', 'people', '--yes'], 5, 'people is referred to by cats. Delete those first, or keep it.'],
] as [string[], number, string][])('%j ends with %i', async ([words, code, sentence]) => {
  const ended = await here.run(words)
  expect(ended.stderr).toContain(sentence)
  expect(ended).toMatchObject({ code, stdout: '' })
})

test('a dataset is deleted, and what refers to it before', async () => {
  here.write('gone.yaml', 'name: gone\nschema:\n  - { name: text, type: string }\n')
  await here.run(['create', '-f', file('gone.yaml')])
  expect(await here.run(['rm', 'gone', '--yes'])).toEqual({
    code: 0,
    stdout: 'Deleted gone.\n',
    stderr: '',
  })
  expect((await here.run(['show', 'gone'])).code).toBe(4)
})
