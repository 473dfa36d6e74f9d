import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const schema = 'name: cats\nschema:\n  - { name: name, type: string, length: 20 }\n'
  await here.run(['create', '-f', here.write('cats.yaml', schema)])
  await here.run(['add', 'cats', 'name=Tim'])
  await here.run(['correct', 'cats', '1', 'name=Tom', '--reason', 'a typing error'])
  await here.run(['withdraw', 'cats', '2', '--reason', 'added twice'])
})
afterAll(() => here.close())

test('a bundle of what was corrected is verified, and its import says what it loses', async () => {
  const file = join(dirname(here.write('empty', '')), 'cats.bundle.zip')
  expect(await here.run(['export', 'cats', '-o', file])).toMatchObject({ code: 0 })
  const verified = await here.run(['verify', file])
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('3 items') as string })
  const imported = await here.run(['import', file, '--as', 'cats=kittens'])
  expect(imported.code).toBe(0)
  expect(imported.stderr).toContain(
    'In cats 2 items correct or withdraw others. In kittens all of them are items like any other.',
  )
  const [made] = await here.json(['import', file, '--as', 'cats=others'])
  expect(made).toMatchObject({ datasets: [{ name: 'others', items: 3, corrections: 2 }] })
})
