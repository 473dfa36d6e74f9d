import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Installation, openInstallation, startBareServer } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
})
afterAll(() => here.close())

let number = 0
let cats: string
let file: string

beforeEach(async () => {
  cats = `cats-${(number += 1)}`
  const schema =
    '  - { name: name, type: string, length: 20 }\n  - { name: age, type: integer, optional: true }\n'
  await here.run(['create', '-f', here.write('cats.yaml', `name: ${cats}\nschema:\n${schema}`)])
  await here.run(['import', cats, here.write(`${cats}.csv`, 'name,age\nTom,4\nTim,5\n')])
  file = here.write(`${cats}-corrected.csv`, 'name,age\nTom,4\nTim,6\nMia,\n')
})

const matching = ['--match', 'name', '--reason', 'the register']
const current = async () => {
  const items = await here.json<{ data: object }>(['ls', cats, '--current'])
  return items.map(({ data }) => data)
}

const difference = () =>
  [
    `1 item of ${cats} to correct, 1 to add; 1 row the same.`,
    '  item 2  age: 5 → 6',
    '  new  name: Mia',
    '',
  ].join('\n')

test('on a terminal the difference is shown, and made once that is agreed to', async () => {
  const words = ['import', cats, file, ...matching]
  for (const stdin of ['no\n', '']) {
    const { code, stdout, stderr } = await here.run(words, { stdin, isTTY: true })
    expect(stderr).toContain(difference())
    expect(stderr).toContain('Nothing was changed.')
    expect([stdout, code]).toEqual(['', stdin === '' ? 130 : 1])
  }
  expect(await current()).toEqual([
    { name: 'Tom', age: 4 },
    { name: 'Tim', age: 5 },
  ])
  const { code, stdout } = await here.run(words, { stdin: 'y\n', isTTY: true })
  expect(stdout).toBe(`Corrected 1 item of ${cats}, and added 1; 1 row changed nothing.\n`)
  expect(code).toBe(0)
  expect(await current()).toEqual([
    { name: 'Tom', age: 4 },
    { name: 'Tim', age: 6 },
    { name: 'Mia' },
  ])
})

test('--yes asks nothing', async () => {
  const { code, stdout, stderr } = await here.run(['import', cats, file, ...matching, '--yes'])
  expect(stdout).toBe(`Corrected 1 item of ${cats}, and added 1; 1 row changed nothing.\n`)
  expect([code, stderr]).toEqual([0, ''])
})

test('rows say themselves what they replace and withdraw', async () => {
  const rows = here.write(
    `${cats}-rows.csv`,
    'id.replaces,id.withdraws,id.reason,name,age\n,2,is a dog,Tim,5\n1,,,Thom,4\n,,,Mia,\n',
  )
  const words = ['import', cats, rows, '--match', 'id.replaces', '--reason', 'the register']
  const shown = await here.run([...words, '--dry-run'])
  expect(shown.stderr).toContain('  item 2  is withdrawn\n  item 1  name: Tom → Thom\n  new  ')
  const { code, stdout } = await here.run([...words, '--yes'])
  expect([stdout, code]).toEqual([
    `Corrected 2 items of ${cats}, and added 1; 0 rows changed nothing.\n`,
    0,
  ])
  expect(await current()).toEqual([{ name: 'Thom', age: 4 }, { name: 'Mia' }])
  const [withdrawn] = await here.json<{ reason?: string }>(['show', cats, '2', '--json'])
  expect(JSON.stringify(withdrawn)).toContain('is a dog')
})

test('--dry-run changes nothing, and shows what any file would', async () => {
  const { code, stdout, stderr } = await here.run(['import', cats, file, ...matching, '--dry-run'])
  expect([code, stdout, stderr]).toEqual([0, 'Nothing was changed.\n', difference()])
  const plain = await here.run(['import', cats, file, '--dry-run'])
  expect(plain.stderr).toContain(`0 items of ${cats} to correct, 3 to add; 0 rows the same.`)
  const bad = here.write('bad-ages.csv', 'name,age\nMia,old\nKim,1\n')
  const skipped = await here.run(['import', cats, bad, '--skip', '--dry-run'])
  expect(skipped.stderr).toContain('1 row refused, and left out.\n  new  name: Kim, age: 1\n')
  expect(await current()).toHaveLength(2)
})

test('an export is corrected by its ids, and what it leaves out stays', async () => {
  const exported = await here.run(['export', cats, '--format', 'csv'])
  const corrected = exported.stdout.replace('Tim', 'Timothy').replace(/,5\r?\n/, ',\n')
  const byId = ['--match', 'id', '--reason', 'nobody knows', '--yes']
  const words = ['import', cats, here.write('exported.csv', corrected), ...byId]
  expect((await here.run(words)).stdout).toContain('Corrected 1 item')
  expect(await current()).toEqual([{ name: 'Tom', age: 4 }, { name: 'Timothy' }])
})

test('rows that are refused are shown, and nothing is changed', async () => {
  const bad = here.write('bad.csv', 'id,name\n2,Tim\n2,Tom\n')
  const words = ['import', cats, bad, '--match', 'id', '--reason', 'x', '--yes']
  const { code, stderr } = await here.run(words)
  expect(stderr).toContain('row 1 has the same id')
  expect(code).toBe(6)
})

describe('words that do not go together are refused', () => {
  test.each([
    [['--match', 'name', '--yes'], '--match and --reason go together.'],
    [['--reason', 'x'], '--match and --reason go together.'],
    [[...matching, '--skip', '--yes'], 'either all rows are imported or none is'],
    [matching, 'There is no terminal to ask on: give --yes'],
    [['--yes'], '--yes is for --create and --match.'],
  ])('%j', async (words, reason) => {
    const { code, stderr } = await here.run(['import', cats, file, ...words])
    expect(stderr).toContain(reason)
    expect(code).toBe(2)
  })
})

test('a server that does not match rows is told so', async () => {
  await using other = await startBareServer(['import'])
  const words = ['import', cats, file, ...matching, '--dry-run', '--server', other.url]
  const { code, stderr } = await here.run(words)
  expect(stderr).toContain('does not match rows with items')
  expect(code).toBe(1)
})
