import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation, startBareServer } from './installation.ts'

const cats = `---
name: cats
schema:
  - { name: name, type: string, length: 20 }
  - { name: fur, type: string, length: 20, optional: true }
`
const longer = `${cats.replace('length: 20 }', 'length: 40 }')}  - { name: born, type: date, optional: true }
license: CC0-1.0
`

let here: Installation
let longerFile: string

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  await here.run(['create', '-f', here.write('cats.yaml', cats)])
  await here.run(['add', 'cats', 'name=Tom'])
  longerFile = here.write('longer.yaml', longer)
})
afterAll(() => here.close())

const difference = '  + new license\n  + name: length 40 instead of 20\n  + born: new date\n'
const schemaOf = async () => (await here.json<{ schema: object[] }>(['show', 'cats']))[0]!.schema

test('a dry run shows the changes, extend makes them, and a second run finds none', async () => {
  const dry = await here.run(['extend', '-f', longerFile, '--dry-run'])
  expect(dry).toEqual({
    code: 0,
    stdout: `The repository cats would be extended:\n${difference}`,
    stderr: '',
  })
  expect(await schemaOf()).toHaveLength(2)
  const [asJson] = await here.json(['extend', '-f', longerFile, '--dry-run'])
  expect(asJson).toMatchObject({ extended: false, changes: [{}, {}, { field: 'born' }] })

  const done = await here.run(['extend', '-f', longerFile])
  expect(done).toEqual({
    code: 0,
    stdout: `The repository cats is extended:\n${difference}`,
    stderr: '',
  })
  expect(await schemaOf()).toHaveLength(3)
  expect((await here.run(['extend', '-f', '-'], { stdin: longer })).stdout).toBe(
    'The repository cats is already as described.\n',
  )
  const [again] = await here.json(['extend', '-f', longerFile])
  expect(again).toMatchObject({ extended: false, changes: [], name: 'cats' })
  expect((await here.run(['add', 'cats', 'name=Tim', 'born=2026-11-22'])).code).toBe(0)
})

test('a change that is no extension is refused with each difference, also in a dry run', async () => {
  const shorter = here.write('shorter.yaml', cats.replace('name: fur,', 'name: coat,'))
  for (const words of [
    ['extend', '-f', shorter],
    ['extend', '-f', shorter, '--dry-run'],
  ]) {
    const { code, stderr, stdout } = await here.run(words)
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toContain('The repository cats cannot be extended so')
    expect(stderr).toContain('  ! fur: removed; items have it\n')
    expect(stderr).toContain('  + coat: new string\n')
  }
  const [error] = (await here.run(['extend', '-f', shorter, '--json'])).stderr.split('\n')
  expect(JSON.parse(error!)).toMatchObject({ exitCode: 5 })
  expect(await schemaOf()).toHaveLength(3)
})

test.for([
  ['name: dogs\nschema: [{ name: a, type: string }]\n', 4, 'There is no repository dogs.'],
  ['name: cats\nschema: [{ name: a, type: strin }]\n', 6, 'did you mean "string"?'],
  ['name: cats\nname: cats\n', 6, 'standard input:2:1: '],
  ['name: few\nbase: cats\n', 6, 'standard input describes a view.'],
] as [string, number, string][])('%j ends with %i', async ([stdin, code, sentence]) => {
  const ended = await here.run(['extend', '-f', '-'], { stdin })
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)])
})

test('extend without a file exits with 2', async () => {
  expect((await here.run(['extend'])).code).toBe(2)
})

test('a server that announces no features is told apart from one that fails', async () => {
  await using other = await startBareServer()
  const { code, stderr } = await here.run(['extend', '-f', longerFile, '--server', other.url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('does not extend repositories.')])
})
