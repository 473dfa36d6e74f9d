// @module-tag engines

import {
  addItem,
  correctItem,
  createClient,
  type Client,
  verifyItem,
  sha256,
} from '@vitrine/client'
import { readEntry } from '@vitrine/transparency-log'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { form, refusal, sha256 as digestOf } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

const datasetId = 'cats'
let server: TestServer
let alice: Client

beforeEach(async () => {
  const env = { VITRINE_EVERYONE: 'contributor', VITRINE_ADMINS: 'alice' }
  server = await startTestServer(env, { restarts: true })
  alice = server.client
  const schema = [
    { name: 'name', type: 'string', length: 20 },
    { name: 'age', type: 'integer', optional: true },
    { name: 'picture', type: 'binary', mime: 'text/*', optional: true },
  ]
  await alice.repoCreate({ body: { name: datasetId, schema } })
  await alice.viewCreate({
    body: { name: 'toms', base: datasetId, where: { name: { eq: 'Tom' } } },
  })
})

afterEach(() => server.close())

const clientOf = async (subject: string) => {
  const token = await server.issuer.token({ sub: subject })
  return createClient({ baseUrl: server.url, token: () => token, retries: 0 })
}
/** The client of somebody who has added something, and can be given a role. */
const knownClientOf = async (subject: string) => {
  const client = await clientOf(subject)
  await client.insertBegin({ datasetId })
  return client
}
const picture = new Blob(['a picture'], { type: 'text/plain' })
const tom = { name: 'Tim', age: 4, picture }
const reason = 'a typing error'
const versions = async (itemId: number, place: { datasetId?: string; at?: number } = {}) =>
  (await alice.datasetVersionList({ datasetId, itemId, ...place })).map(({ id, change }) => [
    id,
    change,
  ])
const replacements = (ids: number[], place: { datasetId?: string; at?: number } = {}) =>
  alice.datasetReplacementList({ datasetId, ids, ...place })
const withdraw = (itemId: number, client = alice) =>
  client.itemWithdraw({ datasetId, itemId, body: { reason } })

describe('a correction', () => {
  test('is a new item with the values that stay, and the old one stays where it is', async () => {
    const old = await addItem(alice, datasetId, tom)
    const before = await alice.datasetItemGet({ datasetId, itemId: old })
    const id = await correctItem(alice, datasetId, old, { values: { name: 'Tom' }, reason })
    expect(await alice.datasetItemGet({ datasetId, itemId: old })).toEqual(before)
    expect((await alice.datasetItemGet({ datasetId, itemId: id })).data).toEqual({
      ...before.data,
      name: 'Tom',
    })
    const bytes = await alice.datasetFieldGet({ datasetId, itemId: id, fieldName: 'picture' })
    expect(await bytes.text()).toBe('a picture')
    expect(await alice.datasetCount({ datasetId })).toMatchObject({ totalItems: 2 })
    expect(await alice.datasetVersionList({ datasetId, itemId: old })).toEqual([
      { id: old, change: 'added', createdAt: before.createdAt, author: { subject: 'alice' } },
      {
        id,
        change: 'corrected',
        createdAt: expect.any(String) as string,
        author: { subject: 'alice' },
        reason,
      },
    ])
  })

  test('can have other values, and none where one was', async () => {
    const old = await addItem(alice, datasetId, tom)
    const values = { age: null, picture: new Blob(['another'], { type: 'text/plain' }) }
    const id = await correctItem(alice, datasetId, old, { values, reason })
    const { data } = await alice.datasetItemGet({ datasetId, itemId: id })
    expect(data).toEqual({ name: 'Tim', picture: digestOf('another') })
  })

  test('of a correction makes a line, which each of its items shows', async () => {
    const first = await addItem(alice, datasetId, tom)
    const second = await correctItem(alice, datasetId, first, { values: { age: 5 }, reason })
    await addItem(alice, datasetId, { name: 'Mia' })
    const third = await correctItem(alice, datasetId, second, { values: { age: 6 }, reason })
    const line = [
      [first, 'added'],
      [second, 'corrected'],
      [third, 'corrected'],
    ]
    for (const id of [first, second, third]) expect(await versions(id)).toEqual(line)
    expect(await versions(second, { at: 2 })).toEqual(line.slice(0, 2))
    expect(
      (await alice.datasetVersionList({ datasetId, itemId: first, page: 1, pageSize: 2 })).map(
        ({ id }) => id,
      ),
    ).toEqual([third])
    expect(await replacements([first, second, third, 999])).toEqual([
      { id: first, latest: third, isWithdrawn: false },
      { id: second, latest: third, isWithdrawn: false },
    ])
    expect(await replacements([first, second], { at: 2 })).toEqual([
      { id: first, latest: second, isWithdrawn: false },
    ])
    expect(await replacements([first], { at: 1 })).toEqual([])
  })

  test('is refused where the item was replaced before, at its beginning and at its commit', async () => {
    const old = await addItem(alice, datasetId, tom)
    const late = await alice.correctionBegin({ datasetId, itemId: old, body: { reason } })
    await alice.insertUpload({ datasetId, itemId: late.id, body: form({ name: 'Late' }) })
    const id = await correctItem(alice, datasetId, old, { values: { name: 'Tom' }, reason })
    const body = { integrity: { name: { sha256: digestOf('Late') } } }
    for (const again of [
      () => alice.insertCommit({ datasetId, itemId: late.id, body }),
      () => alice.correctionBegin({ datasetId, itemId: old, body: { reason } }),
      () => withdraw(old),
    ]) {
      await expect(again()).rejects.toMatchObject({
        status: 409,
        code: 'ITEM_REPLACED',
        body: { details: { replacedBy: id } },
      })
    }
    expect(await alice.datasetCount({ datasetId })).toMatchObject({ totalItems: 2 })
  })

  test('of many at once is that of one alone', async () => {
    const old = await addItem(alice, datasetId, tom)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, age) =>
        age % 5 === 4
          ? withdraw(old)
          : correctItem(alice, datasetId, old, { values: { age }, reason }),
      ),
    )
    const taken = outcomes.filter(({ status }) => status === 'fulfilled')
    expect((await versions(old)).length).toBe(2)
    expect(await alice.datasetCount({ datasetId })).toMatchObject({ totalItems: 2 })
    // The same withdrawal again is the first one.
    expect([1, 4]).toContain(taken.length)
  })

  test('is its author’s or a curator’s', async () => {
    const bob = await clientOf('bob')
    const [hers, his] = [
      await addItem(alice, datasetId, tom),
      await addItem(bob, datasetId, { name: 'Bo' }),
    ]
    const forbidden = { status: 403, code: 'FORBIDDEN' }
    const begin = { datasetId, itemId: hers, body: { reason } }
    expect(await refusal(bob.correctionBegin(begin))).toMatchObject(forbidden)
    expect(await refusal(withdraw(hers, bob))).toMatchObject(forbidden)
    const id = await correctItem(bob, datasetId, his, { values: { name: 'Bob' }, reason })
    expect((await alice.datasetItemAuthor({ datasetId, itemId: id })).author?.subject).toBe('bob')
    await correctItem(alice, datasetId, id, { values: { name: 'Bobby' }, reason })
    // What was his is hers now.
    expect(await refusal(withdraw(id, bob))).toMatchObject({ code: 'ITEM_REPLACED' })
  })

  test('is refused to whoever is no curator any more at its commit', async () => {
    const bob = await knownClientOf('bob')
    const body = { person: 'bob', role: 'curator' } as const
    const grant = await alice.grantSet({ datasetId, body })
    const old = await addItem(alice, datasetId, { name: 'Tim' })
    const correction = { reason, keep: ['name'] }
    const { id } = await bob.correctionBegin({ datasetId, itemId: old, body: correction })
    const commit = { integrity: { name: { sha256: digestOf('Tim') } } }
    await alice.grantRevoke({ datasetId, grantId: grant.id })
    expect(await refusal(bob.insertCommit({ datasetId, itemId: id, body: commit }))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    })
    expect(await versions(old)).toEqual([[old, 'added']])
  })

  test.each([
    ['no reason', {}],
    ['a blank reason', { reason: '  ' }],
    ['a long reason', { reason: 'a'.repeat(501) }],
    ['a reason with U+0000', { reason: 'a\0' }],
    ['another key', { reason, replaces: 1 }],
  ])('needs a body: %s', async (_, body) => {
    const itemId = await addItem(alice, datasetId, tom)
    const refused = { status: 400, code: 'REQUEST_INVALID' }
    expect(await refusal(alice.correctionBegin({ datasetId, itemId, body }))).toMatchObject(refused)
    expect(await refusal(alice.itemWithdraw({ datasetId, itemId, body }))).toMatchObject(refused)
  })

  test('of what is not there is 404, and keeps fields of the schema alone', async () => {
    const missing = { status: 404, code: 'REPO_OR_ITEM_NOT_FOUND' }
    const begin = { datasetId, itemId: 99, body: { reason } }
    expect(await refusal(alice.correctionBegin(begin))).toEqual(missing)
    expect(await refusal(withdraw(99))).toEqual(missing)
    const { id: open } = await alice.insertBegin({ datasetId })
    expect(await refusal(alice.correctionBegin({ ...begin, itemId: open }))).toEqual(missing)
    const itemId = await addItem(alice, datasetId, tom)
    await expect(
      alice.correctionBegin({ datasetId, itemId, body: { reason, keep: ['name', 'nam'] } }),
    ).rejects.toMatchObject({
      code: 'FIELD_NOT_IN_SCHEMA',
      body: { details: { problems: [{ path: ['keep', 1], nearest: 'name' }] } },
    })
    expect(await refusal(alice.datasetVersionList({ datasetId, itemId: 99 }))).toEqual({
      status: 404,
      code: 'DATASET_OR_ITEM_NOT_FOUND',
    })
  })
})

describe('a withdrawal', () => {
  test('repeats the values, is the same when it comes again, and can be taken back', async () => {
    const old = await addItem(alice, datasetId, tom)
    const { id } = await withdraw(old)
    expect(await withdraw(old)).toEqual({ id })
    const { data, integrity } = await alice.datasetItemGet({ datasetId, itemId: old })
    expect(await alice.datasetItemGet({ datasetId, itemId: id })).toMatchObject({
      data,
      integrity,
    })
    expect(await versions(old)).toEqual([
      [old, 'added'],
      [id, 'withdrawn'],
    ])
    expect(await replacements([old, id])).toEqual([{ id: old, latest: id, isWithdrawn: true }])
    const again = await correctItem(alice, datasetId, id, { values: {}, reason: 'there it is' })
    expect(await replacements([old, id])).toEqual([
      { id: old, latest: again, isWithdrawn: false },
      { id, latest: again, isWithdrawn: false },
    ])
  })
})

test('references that stay may lead to what the author of a correction may not read', async () => {
  await alice.repoCreate({
    body: { name: 'secrets', schema: [{ name: 'word', type: 'string', length: 20 }] },
  })
  await alice.grantSet({ datasetId: 'secrets', body: { everyone: true, role: 'none' } })
  await addItem(alice, 'secrets', { word: 'hush' })
  const schema = [
    { name: 'about', type: 'reference', target: 'secrets' },
    { name: 'text', type: 'string', length: 20 },
  ]
  await alice.repoCreate({ body: { name: 'notes', schema } })
  const bob = await knownClientOf('bob')
  await alice.grantSet({ datasetId: 'notes', body: { person: 'bob', role: 'curator' } })
  const old = await addItem(alice, 'notes', { about: 1, text: 'teh' })
  const id = await correctItem(bob, 'notes', old, { values: { text: 'the' }, reason })
  expect((await bob.datasetItemGet({ datasetId: 'notes', itemId: id })).data).toEqual({
    about: 1,
    text: 'the',
  })
  const moved = correctItem(bob, 'notes', id, { values: { about: 2 }, reason })
  expect(await refusal(moved)).toMatchObject({ code: 'DATA_NOT_CONFORMING' })
})

test('a view shows of a line what it has, and leads to its own items alone', async () => {
  const old = await addItem(alice, datasetId, { name: 'Tom', age: 3 })
  const other = await correctItem(alice, datasetId, old, { values: { name: 'Tim' }, reason })
  expect(await alice.datasetVersionList({ datasetId: 'toms', itemId: old })).toEqual([
    expect.objectContaining({ id: old, change: 'added', author: { subject: 'alice' } }),
    { id: other, change: 'corrected' },
  ])
  expect(await replacements([old], { datasetId: 'toms' })).toEqual([
    { id: old, isWithdrawn: false },
  ])
  const last = await correctItem(alice, datasetId, other, { values: { name: 'Tom' }, reason })
  expect(await replacements([old, other], { datasetId: 'toms' })).toEqual([
    { id: old, latest: last, isWithdrawn: false },
  ])
  await alice.viewCreate({ body: { name: 'frozen', base: `${datasetId}@2` } })
  expect(await versions(old, { datasetId: 'frozen' })).toEqual([
    [old, 'added'],
    [other, 'corrected'],
  ])
  await alice.viewCreate({ body: { name: 'sorted', base: 'frozen', order: ['name'] } })
  expect(await replacements([old, other], { datasetId: 'sorted' })).toEqual([
    { id: old, latest: other, isWithdrawn: false },
  ])
})

test('the log says what was replaced, after a restart as before', async () => {
  const old = await addItem(alice, datasetId, tom)
  const second = await correctItem(alice, datasetId, old, { values: { age: 5 }, reason })
  const { id: third } = await withdraw(second)
  for (const isRestarted of [false, true]) {
    if (isRestarted) await server.restart()
    const entries = await Promise.all(
      [old, second, third].map(async (itemId) => {
        const proof = await alice.logProof({ datasetId, itemId })
        const [, , extra = ''] = /^(.*\n)*?extra (.*)\n/.exec(await proof.text()) ?? []
        return readEntry(Buffer.from(extra, 'base64').toString())
      }),
    )
    expect(entries.map((entry) => [entry?.replaces, entry?.withdraws])).toEqual([
      [undefined, undefined],
      [old, undefined],
      [undefined, second],
    ])
    expect(entries[2]?.seal).toBe(entries[1]?.seal)
    for (const itemId of [old, second, third]) {
      const { checks } = await verifyItem(
        alice,
        { repo: datasetId, itemId },
        { known: undefined, sha256 },
      )
      expect(checks.filter(({ passed }) => passed === false)).toEqual([])
    }
  }
})
