import { afterEach, expect, test } from 'vitest'
import { insertAccount } from '../../server/src/store/accounts.ts'
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

test('roles are given, listed and taken back', async () => {
  here = await openInstallation({ VITRINE_EVERYONE: 'reader' })
  await here.login()
  expect((await here.run(['create', '-f', here.write('cats.yaml', description)])).code).toBe(0)
  const admin = await here.client().whoAmI({})
  const { database } = here
  await database.use(({ write }) =>
    write(async (transaction) => {
      for (const [id, name] of [
        ['1', 'ada'],
        ['2', 'Adam'],
        ['ada', 'Eve'],
      ] as const) {
        await insertAccount(transaction, { id, name, password: '', must_change: 0 })
      }
    }),
  )
  const grant = (...words: string[]) => here.run(['grant', 'cats', ...words])

  expect(await grant('curator', 'ADAM')).toMatchObject({
    code: 0,
    stdout: 'On cats Adam is curator now.\n',
  })
  // A subject is meant before a name.
  expect((await grant('owner', 'ada')).stdout).toBe('On cats Eve is owner now.\n')
  expect((await grant('contributor', '--everyone')).stdout).toBe(
    'On cats everybody is contributor now.\n',
  )
  expect(await grant('reader', 'da')).toMatchObject({
    code: 4,
    stderr: 'Nobody is known as da. Did you mean Adam or ada?\n',
  })
  expect(await grant('reader', 'Zoe')).toMatchObject({
    code: 4,
    stderr: 'Nobody is known as Zoe: people are known once they have signed in.\n',
  })
  expect((await grant('none', '--everyone')).stdout).toBe('On cats everybody is none now.\n')
  expect((await grant('contributor', '--everyone')).code).toBe(0)
  const ambiguous = [
    ['boss', 'Adam'],
    ['none', 'Adam'],
    ['reader'],
    ['reader', 'Adam', '--everyone'],
    ['reader', 'Adam', '--group', 'lab'],
  ]
  for (const words of ambiguous) {
    expect(await grant(...words)).toMatchObject({ code: 2, stdout: '' })
  }

  const grouped = await grant('reader', '--group', 'lab')
  expect(grouped.code).toBe(6)
  expect(grouped.stderr).toContain('this server reads no groups of its provider')

  const today = new Date().toISOString().slice(0, 10)
  expect((await here.run(['who', 'cats'])).stdout.split('\n')).toEqual([
    'admin\towner\tcreated it',
    `everybody\tcontributor\tgiven by admin, ${today}`,
    `Adam\tcurator\tgiven by admin, ${today}`,
    `Eve\towner\tgiven by admin, ${today}`,
    '',
  ])

  const revoke = (...words: string[]) => here.run(['revoke', 'cats', ...words])
  expect((await revoke('Adam')).stdout).toBe('The role curator on cats is taken back from Adam.\n')
  expect(await revoke('Adam')).toMatchObject({ code: 4, stdout: '' })
  expect((await revoke('--everyone')).code).toBe(0)
  const listed = await here.json<object>(['who', 'cats'])
  expect(listed).toMatchObject([
    { person: { name: 'admin', subject: admin.subject }, role: 'owner', source: 'creator' },
    { person: { name: 'Eve' }, role: 'owner', source: 'grant' },
    { everyone: true, role: 'reader', source: 'configuration' },
  ])
})

test('a server where everybody may do everything takes no roles', async () => {
  here = await openInstallation()
  await here.login()
  for (const words of [
    ['grant', 'cats', 'reader', '--everyone'],
    ['revoke', 'cats', '--everyone'],
    ['who', 'cats'],
  ]) {
    const { code, stderr } = await here.run(words)
    expect(code).toBe(1)
    expect(stderr).toContain('everybody signed in may do everything (VITRINE_EVERYONE)')
  }
})
