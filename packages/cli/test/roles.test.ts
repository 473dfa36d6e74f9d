import { afterEach, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

afterEach(() => here.close())

const description = 'name: cats\nschema:\n  - { name: name, type: string }\n'

test('somebody is told their role on a dataset, and who owns it', async () => {
  here = await openInstallation({ VITRINE_EVERYONE: 'contributor', VITRINE_ADMINS: 'nobody' })
  await here.login()
  expect((await here.run(['create', '-f', here.write('cats.yaml', description)])).code).toBe(0)
  const { stdout } = await here.run(['whoami', '--on', 'cats'])
  expect(stdout).toContain('\nOn cats you are owner; it is owned by admin.\n')
  const [said] = await here.json<object>(['whoami', '--on', 'cats'])
  expect(said).toMatchObject({ username: 'admin', role: 'owner', owners: [{ name: 'admin' }] })
  expect(await here.run(['whoami', '--on', 'dogs'])).toMatchObject({ code: 4, stdout: '' })
})

test('whoever may not do something is told what is missing', async () => {
  here = await openInstallation({ VITRINE_EVERYONE: 'reader', VITRINE_ADMINS: 'nobody' })
  await here.login()
  const refused = await here.run(['create', '-f', here.write('cats.yaml', description)])
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('Your role does not allow this.')
  expect(refused.stderr).toContain('here administrators alone create datasets')
})

test('where everybody may do everything, all are owners', async () => {
  here = await openInstallation()
  await here.login()
  expect((await here.run(['create', '-f', here.write('cats.yaml', description)])).code).toBe(0)
  const { stdout } = await here.run(['whoami', '--on', 'cats'])
  expect(stdout).toContain('\nOn cats you are owner.\n')
  expect(await here.run(['whoami', '--on', 'dogs'])).toMatchObject({ code: 4, stdout: '' })
})
