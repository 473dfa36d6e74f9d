import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const repo = 'name: cats\nschema:\n  - { name: name, type: string, length: 20 }\n'
  await here.run(['create', '-f', here.write('cats.yaml', repo)])
  const view = 'name: best\nbase: cats\norder: name\nlimit: 2\n'
  await here.run(['create', '-f', here.write('best.yaml', view)])
  for (const name of ['Tom', 'Felix', 'Ada', 'Bo']) await here.run(['add', 'cats', `name=${name}`])
})
afterAll(() => here.close())

test('a state is listed, shown, summarized and exported', async () => {
  expect(await here.run(['ls', 'best'])).toMatchObject({ stdout: '3\tAda\n4\tBo\n' })
  expect(await here.run(['ls', 'best@2'])).toMatchObject({ code: 0, stdout: '2\tFelix\n1\tTom\n' })
  expect(await here.run(['ls', 'cats@3', '--order=-name'])).toMatchObject({
    stdout: '1\tTom\n2\tFelix\n3\tAda\n',
  })
  const shown = await here.run(['show', 'best@2'])
  expect(shown.stdout).toMatch(/^items +2\nas of +2 items of cats, the last of them added 20/mu)
  expect(await here.run(['show', 'best@2', '3'])).toMatchObject({ code: 4 })
  expect(await here.run(['show', 'best@2', '2'])).toMatchObject({ code: 0 })
  expect(await here.json(['summary', 'cats@1'])).toMatchObject([{ items: 1 }])
  const file = here.write('then.csv', '')
  expect(await here.run(['export', 'best@2', '-o', file])).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toMatch(/2,.*Felix\r?\n1,.*Tom/su)
})

test('a state is verified with as much of the log', async () => {
  const verified = await here.run(['verify', 'cats@3', 'best@2', 'cats@0'])
  expect(verified).toMatchObject({ code: 0 })
  expect(verified.stdout).toContain('Verified cats@3: 3 items')
  expect(verified.stdout).toContain('Verified best@2: 2 items')
  expect(verified.stdout).toContain('Verified cats@0: 0 items')
})

test('an invalid state exits with 2, and one that is not reached yet with 4', async () => {
  expect(await here.run(['ls', 'cats@x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Write it as cats@1200.'),
  })
  for (const words of [['ls'], ['show'], ['summary'], ['verify']]) {
    expect(await here.run([...words, 'cats@5'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('repository has fewer items'),
    })
  }
})
