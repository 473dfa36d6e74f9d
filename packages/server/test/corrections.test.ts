// @module-tag engines

import { addItem, type Client, correctItem } from '@vitrine/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CatServer, datasetId, reason, startCatServer, tim } from './cat-server.ts'
import { form, refusal, sha256 as digestOf } from './photos.ts'

let server: CatServer
let alice: Client

beforeEach(async () => {
  server = await startCatServer()
  alice = server.client
})

afterEach(() => server.close())

describe('a correction', () => {
  test('is a new item with the values that stay, and the old one stays where it is', async () => {
    const old = await addItem(alice, datasetId, tim)
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
    const old = await addItem(alice, datasetId, tim)
    const values = { age: null, picture: new Blob(['another'], { type: 'text/plain' }) }
    const id = await correctItem(alice, datasetId, old, { values, reason })
    const { data } = await alice.datasetItemGet({ datasetId, itemId: id })
    expect(data).toEqual({ name: 'Tim', picture: digestOf('another') })
  })

  test('is refused where the item was replaced before, at its beginning and at its commit', async () => {
    const old = await addItem(alice, datasetId, tim)
    const late = await alice.correctionBegin({ datasetId, itemId: old, body: { reason } })
    await alice.insertUpload({ datasetId, itemId: late.id, body: form({ name: 'Late' }) })
    const id = await correctItem(alice, datasetId, old, { values: { name: 'Tom' }, reason })
    const body = { integrity: { name: { sha256: digestOf('Late') } } }
    for (const again of [
      () => alice.insertCommit({ datasetId, itemId: late.id, body }),
      () => alice.correctionBegin({ datasetId, itemId: old, body: { reason } }),
      () => server.withdraw(old),
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
    const old = await addItem(alice, datasetId, tim)
    const commits = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const name = `Tom ${index}`
        const { id } = await alice.correctionBegin({ datasetId, itemId: old, body: { reason } })
        await alice.insertUpload({ datasetId, itemId: id, body: form({ name }) })
        const body = { integrity: { name: { sha256: digestOf(name) } } }
        return () => alice.insertCommit({ datasetId, itemId: id, body })
      }),
    )
    const withdrawals = Array.from({ length: 4 }, () => () => server.withdraw(old))
    const outcomes = await Promise.allSettled([...commits, ...withdrawals].map((send) => send()))
    const refused = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    expect((await server.versions(old)).length).toBe(2)
    expect(await alice.datasetCount({ datasetId })).toMatchObject({ totalItems: 2 })
    // Where a withdrawal is first, the others are the same one again.
    expect([16, 19]).toContain(refused.length)
    for (const error of refused) expect(error).toMatchObject({ code: 'ITEM_REPLACED' })
  })

  test('changes something', async () => {
    const old = await addItem(alice, datasetId, tim)
    await expect(
      correctItem(alice, datasetId, old, { values: { name: 'Tim' }, reason }),
    ).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      body: { details: { problems: [{ path: [] }] } },
    })
    const other = new Blob(['a picture'], { type: 'text/markdown' })
    await correctItem(alice, datasetId, old, { values: { picture: other }, reason })
    expect((await server.versions(old)).length).toBe(2)
  })

  test('is its author’s or a curator’s', async () => {
    const bob = await server.clientOf('bob')
    const [hers, his] = [
      await addItem(alice, datasetId, tim),
      await addItem(bob, datasetId, { name: 'Bo' }),
    ]
    const forbidden = { status: 403, code: 'FORBIDDEN' }
    const begin = { datasetId, itemId: hers, body: { reason } }
    expect(await refusal(bob.correctionBegin(begin))).toMatchObject(forbidden)
    expect(await refusal(server.withdraw(hers, bob))).toMatchObject(forbidden)
    const id = await correctItem(bob, datasetId, his, { values: { name: 'Bob' }, reason })
    expect((await alice.datasetItemAuthor({ datasetId, itemId: id })).author?.subject).toBe('bob')
    await correctItem(alice, datasetId, id, { values: { name: 'Bobby' }, reason })
    // What was his is hers now.
    expect(await refusal(server.withdraw(id, bob))).toMatchObject({ code: 'ITEM_REPLACED' })
  })

  test('is refused to whoever is no curator any more at its commit', async () => {
    const bob = await server.clientOf('bob')
    const body = { person: 'bob', role: 'curator' } as const
    const grant = await alice.grantSet({ datasetId, body })
    const old = await addItem(alice, datasetId, { name: 'Tim' })
    const { id } = await bob.correctionBegin({ datasetId, itemId: old, body: { reason } })
    await bob.insertUpload({ datasetId, itemId: id, body: form({ name: 'Tom' }) })
    const commit = { integrity: { name: { sha256: digestOf('Tom') } } }
    await alice.grantRevoke({ datasetId, grantId: grant.id })
    expect(await refusal(bob.insertCommit({ datasetId, itemId: id, body: commit }))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    })
    expect(await server.versions(old)).toEqual([[old, 'added']])
  })

  test.each([
    ['no reason', {}],
    ['a blank reason', { reason: '  ' }],
    ['a long reason', { reason: 'a'.repeat(501) }],
    ['a reason with U+0000', { reason: 'a\0' }],
    ['another key', { reason, replaces: 1 }],
  ])('needs a body: %s', async (_, body) => {
    const itemId = await addItem(alice, datasetId, tim)
    const refused = { status: 400, code: 'REQUEST_INVALID' }
    expect(await refusal(alice.correctionBegin({ datasetId, itemId, body }))).toMatchObject(refused)
    expect(await refusal(alice.itemWithdraw({ datasetId, itemId, body }))).toMatchObject(refused)
  })

  test('of what is not there is 404, and keeps fields of the schema alone', async () => {
    const missing = { status: 404, code: 'REPO_OR_ITEM_NOT_FOUND' }
    const begin = { datasetId, itemId: 99, body: { reason } }
    expect(await refusal(alice.correctionBegin(begin))).toEqual(missing)
    expect(await refusal(server.withdraw(99))).toEqual(missing)
    const { id: open } = await alice.insertBegin({ datasetId })
    expect(await refusal(alice.correctionBegin({ ...begin, itemId: open }))).toEqual(missing)
    const itemId = await addItem(alice, datasetId, tim)
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
  const bob = await server.clientOf('bob')
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
