import { addItem, createClient } from '@vitrine/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administrators } from '../src/access/administrators.ts'
import type { Access, Identity } from '../src/access/identity.ts'
import { Roles } from '../src/access/roles.ts'
import { readConfig } from '../src/config.ts'
import { deleteDataset } from '../src/datasets/delete-dataset.ts'
import { extendRepo } from '../src/datasets/extend-repo.ts'
import { grantRole, revokeRole } from '../src/access/grant-role.ts'
import { insertAccount } from '../src/store/accounts.ts'
import { findDataset } from '../src/store/datasets.ts'
import { findImportById, insertImport, updateImport } from '../src/store/imports.ts'
import { recordPerson } from '../src/store/people.ts'
import { SampleStore } from './sample-store.ts'
import { startTestServer } from './server.ts'

const issuer = 'https://example.org'
const schema = [{ name: 'word', type: 'string', length: 20 } as const]
const person = (subject: string): Identity => ({ issuer, subject })

let sample: SampleStore
let roles: Roles

beforeEach(async () => {
  sample = await SampleStore.open()
  await sample.create({ name: 'words', schema, items: [] })
  const config = readConfig({ VITRINE_DATA_DIR: 'unused', VITRINE_ADMINS: 'root' })
  roles = new Roles(sample.store, {
    everyone: 'contributor',
    administrators: administrators(config),
  })
})

afterEach(() => sample[Symbol.asyncDispose]())

/** Owner of all samples. */
const alice = person('alice')

/** Begins an import whose file is complete, which nobody works on. */
async function beginImport(by: string): Promise<number> {
  const { store } = sample
  const { id: datasetId } = (await findDataset(store.reads, 'words'))!
  return store.write(async (transaction) => {
    const row = { datasetId, key: by, options: '{}', createdBy: `${issuer} ${by}`, readsAll: false }
    const { id } = await insertImport(transaction, row)
    await updateImport(transaction, id, { state: 'publishing' })
    return id
  })
}

const endOf = async (id: number) => {
  const { ends_as: endsAs, error } = (await findImportById(sample.store.reads, id))!
  return endsAs && `${endsAs}: ${(JSON.parse(error!) as { code: string }).code}`
}

test('an import of somebody who loses the role for it is not published', async () => {
  const { store } = sample
  await store.write(async (transaction) => {
    for (const subject of ['bob', 'carol']) {
      await recordPerson(transaction, { key: `${issuer} ${subject}`, name: undefined })
    }
    // An administrator by a name, who is told by it at the built-in provider.
    await insertAccount(transaction, { id: 'r00t', name: 'root', password: '', must_change: 0 })
  })
  const granting = {
    identity: alice,
    roles,
    people: { issuer, isBuiltIn: false, readsGroups: true },
  }
  const give = (subject: string | undefined, role: 'reader' | 'curator', isBuiltIn = false) =>
    grantRole(
      store,
      'words',
      { ...(subject === undefined ? { everyone: true as const } : { person: subject }), role },
      { ...granting, people: { issuer, isBuiltIn, readsGroups: true } },
    )
  await give(undefined, 'curator')
  const { id: bobs } = await give('bob', 'curator')
  await give('carol', 'curator')
  const imports = {
    alice: await beginImport('alice'),
    bob: await beginImport('bob'),
    carol: await beginImport('carol'),
    dave: await beginImport('dave'),
    root: await beginImport('r00t'),
  }

  await revokeRole(store, 'words', bobs, granting)
  // Everybody still is a curator.
  expect(await endOf(imports.bob)).toBe(null)
  await give(undefined, 'reader', true)
  expect(await endOf(imports.bob)).toBe('failed: FORBIDDEN')
  expect(await endOf(imports.dave)).toBe('failed: FORBIDDEN')
  for (const who of ['alice', 'carol', 'root'] as const) {
    expect(await endOf(imports[who])).toBe(null)
  }
  await give('carol', 'reader')
  expect(await endOf(imports.carol)).toBe('failed: FORBIDDEN')
})

test('what one may do on a dataset does not count for another that takes its name', async () => {
  const { store } = sample
  const extended = [...schema, { ...schema[0]!, name: 'more', optional: true }]
  const remove = (by: { identity: Identity; access: Access | undefined }) =>
    deleteDataset(store, 'repo', 'words', { ...by, visibility: 'all', rests: true })
  const extend = (by: { identity: Identity; access: Access | undefined }) =>
    extendRepo(store, 'words', { name: 'words', schema: extended }, { ...by, visibility: 'all' })

  const own = (await roles.find(alice, 'words'))!
  const earlier = { identity: alice, access: { ...own, datasetId: own.datasetId + 1 } }
  await expect(remove(earlier)).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' })
  await expect(extend(earlier)).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' })

  const bob = { identity: person('bob'), access: await roles.find(person('bob'), 'words') }
  const refused = { code: 'FORBIDDEN', details: { needed: 'owner', role: 'contributor' } }
  await expect(remove(bob)).rejects.toMatchObject(refused)
  await expect(extend(bob)).rejects.toMatchObject(refused)
  const everybody = { everyone: true, role: 'owner' } as const
  const granting = {
    identity: bob.identity,
    roles,
    people: { issuer, isBuiltIn: false, readsGroups: true },
  }
  await expect(grantRole(store, 'words', everybody, granting)).rejects.toMatchObject(refused)
  expect((await findDataset(store.reads, 'words'))!.schema).toHaveLength(1)
})

test('where everybody may do everything, no roles are given, and none that were given count', async () => {
  const server = await startTestServer({ VITRINE_EVERYONE: 'contributor' }, { restarts: true })
  await using _ = { [Symbol.asyncDispose]: () => server.close() }
  await server.client.repoCreate({ body: { name: 'words', schema } })
  await server.client.grantSet({ datasetId: 'words', body: { everyone: true, role: 'reader' } })

  await server.restart({ VITRINE_EVERYONE: 'owner' })
  const token = await server.issuer.token({ sub: 'bob' })
  const bob = createClient({ baseUrl: server.url, token: () => token })
  expect(await addItem(bob, 'words', { word: 'one' })).toBeGreaterThan(0)
  const off = { code: 'ROLES_OFF', message: 'roles are switched off' }
  const grant = { datasetId: 'words', body: { everyone: true, role: 'owner' } } as const
  await expect(bob.grantSet(grant)).rejects.toMatchObject(off)
  await expect(bob.grantRevoke({ datasetId: 'words', grantId: 1 })).rejects.toMatchObject(off)
  await expect(bob.grantList({ datasetId: 'words' })).rejects.toMatchObject(off)
  await expect(bob.personList({ datasetId: 'words' })).rejects.toMatchObject(off)
  expect(await bob.datasetRole({ datasetId: 'words' })).toMatchObject({ role: 'owner' })
})
