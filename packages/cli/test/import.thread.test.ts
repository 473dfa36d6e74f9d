import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const schema = '  - { name: name, type: string, length: 20 }\n'
  for (const name of ['cities', 'towns', 'villages']) {
    const file = here.write(`${name}.yaml`, `name: ${name}\nschema:\n${schema}`)
    await here.run(['create', '-f', file])
  }
})
afterAll(() => here.close())

const itemsOf = async (name: string) => (await here.json(['ls', name])).length

test('a file is imported, and the same file once more is not', async () => {
  const file = here.write('cities.csv', 'name\nWellington\n"Nuku’alofa, Tonga"\n')
  const words = ['import', 'cities', file]
  expect(await here.run(words)).toEqual({
    code: 0,
    stdout: 'Added 2 items to cities.\n',
    stderr: '',
  })
  const again = await here.run(words)
  expect(again.code).toBe(0)
  expect(again.stdout).toContain('already: nothing was added.')
  expect(await itemsOf('cities')).toBe(2)
  const [state] = await here.json<{ state: string }>([...words, '--key', 'once-more'])
  expect(state?.state).toBe('done')
  expect(await itemsOf('cities')).toBe(4)
})

test('rows come through standard input', async () => {
  const stdin = 'name\nLevin\n'
  const piped = await here.run(['import', 'towns', '-', '--format', 'csv'], { stdin })
  expect(piped).toEqual({ code: 0, stdout: 'Added 1 item to towns.\n', stderr: '' })
  const words = ['import', 'towns', '-', '--format', 'csv', '--key', 'piped']
  expect((await here.run(words, { stdin })).code).toBe(0)
  expect((await here.run(words, { stdin })).stdout).toContain('already: nothing was added.')
  expect(await itemsOf('towns')).toBe(2)
  const unnamed = await here.run(['import', 'towns', '-'], { stdin })
  expect(unnamed.stderr).toContain('Say which of ndjson, json, csv')
  expect(unnamed.code).toBe(2)
})

test('rows that do not conform are shown, and left out where that is asked for', async () => {
  const file = here.write('towns.ndjson', '{"name":"Otaki"}\n{"name":7}\n{"nam":"Foxton"}\n')
  const report = join(here.folder, 'refused.csv')
  const refused = await here.run(['import', 'towns', file, '--report', report])
  expect(refused).toMatchObject({ code: 6, stdout: '' })
  expect(refused.stderr).toContain(
    'Nothing was added: 1 row of the file did not conform to the schema of towns.',
  )
  expect(refused.stderr).toContain('  line 3: ')
  expect(readFileSync(report, 'utf8').split(/\r?\n/)[0]).toBe('row,line,field,reason,value')
  expect(await itemsOf('towns')).toBe(2)

  const skipped = await here.run(['import', 'towns', file, '--skip'])
  expect(skipped).toMatchObject({
    code: 0,
    stdout: 'Added 2 items to towns. Refused: 1 row.\n',
  })
  expect(await itemsOf('towns')).toBe(4)
})

test.for([
  [['import', 'cities', 'cities'], 2, 'Say which of ndjson, json, csv'],
  [['import', 'cities', 'none.csv'], 6, 'none.csv cannot be read'],
  [['import', 'cities', 'x.csv', '--columns', '{'], 2, '--columns takes JSON'],
] as [string[], number, string][])('%j ends with %i', async ([words, code, sentence]) => {
  const ended = await here.run(words)
  expect(ended.stderr).toContain(sentence)
  expect(ended).toMatchObject({ code, stdout: '' })
})

test('a file that cannot be read says which row, and what to do', async () => {
  const file = here.write('cut.csv', 'name\nOtaki\nFox,ton\n')
  const { code, stderr } = await here.run(['import', 'towns', file])
  expect(stderr).toBe(
    'The file cannot be read.\n' +
      '  row 2: line 3 has 2 cells, and the first line has 1\n' +
      'Nothing was added. Correct the file, or say with --columns what each of its columns is for.\n',
  )
  expect(code).toBe(6)
})

test('a repository that is not there is told of', async () => {
  const { code, stderr } = await here.run(['import', 'nothing', join(here.folder, 'cities.csv')])
  expect(stderr).toContain('Repo not found.')
  expect(code).toBe(4)
})
