// @module-tag engines

import { addItem, type Client, correctItem, sha256, verifyItem } from '@vitrine/client'
import { readEntry } from '@vitrine/transparency-log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CatServer, datasetId, reason, startCatServer, tim } from './cat-server.ts'
import { until } from './until.ts'

let server: CatServer
let alice: Client

beforeEach(async () => {
  server = await startCatServer()
  alice = server.client
})

afterEach(() => server.close())

test('corrections make a chain, which each of its items shows', async () => {
  const first = await addItem(alice, datasetId, tim)
  const second = await correctItem(alice, datasetId, first, { values: { age: 5 }, reason })
  await addItem(alice, datasetId, { name: 'Mia' })
  const third = await correctItem(alice, datasetId, second, { values: { age: 6 }, reason })
  const chain = [
    [first, 'added'],
    [second, 'corrected'],
    [third, 'corrected'],
  ]
  for (const id of [first, second, third]) expect(await server.versions(id)).toEqual(chain)
  expect(await server.versions(second, { at: 2 })).toEqual(chain.slice(0, 2))
  expect(
    (await alice.datasetVersionList({ datasetId, itemId: first, page: 1, pageSize: 2 })).map(
      ({ id }) => id,
    ),
  ).toEqual([third])
  expect(await server.replacements([first, second, third, 999])).toEqual([
    { id: first, latest: third, isWithdrawn: false },
    { id: second, latest: third, isWithdrawn: false },
  ])
  expect(await server.replacements([first, second], { at: 2 })).toEqual([
    { id: first, latest: second, isWithdrawn: false },
  ])
  expect(await server.replacements([first], { at: 1 })).toEqual([])
})

test('a withdrawal repeats the values, is the same when it comes again, and can be taken back', async () => {
  const old = await addItem(alice, datasetId, tim)
  const { id } = await server.withdraw(old)
  expect(await server.withdraw(old)).toEqual({ id })
  const { data, integrity } = await alice.datasetItemGet({ datasetId, itemId: old })
  expect(await alice.datasetItemGet({ datasetId, itemId: id })).toMatchObject({
    data,
    integrity,
  })
  expect(await server.versions(old)).toEqual([
    [old, 'added'],
    [id, 'withdrawn'],
  ])
  expect(await server.replacements([old, id])).toEqual([
    { id: old, latest: id, isWithdrawn: true },
    { id, latest: id, isWithdrawn: true },
  ])
  const again = await correctItem(alice, datasetId, id, { values: {}, reason: 'there it is' })
  expect(await server.replacements([old, id])).toEqual([
    { id: old, latest: again, isWithdrawn: false },
    { id, latest: again, isWithdrawn: false },
  ])
})

test('a deleted repository leaves nothing of them, and one that is taken back has all', async () => {
  const old = await addItem(alice, datasetId, tim)
  await correctItem(alice, datasetId, old, { values: { age: 5 }, reason })
  const before = await server.versions(old)
  await alice.viewDelete({ datasetId: 'toms' })
  await alice.repoDelete({ datasetId })
  const [{ id: deletedId } = { id: 0 }] = await alice.deletedList({ name: datasetId })
  await alice.deletedRestore({ deletedId, body: {} })
  expect(await server.versions(old)).toEqual(before)
  await server.restart({ VITRINE_DELETED_DAYS: '0' })
  await alice.repoDelete({ datasetId })
  await until(() =>
    server.database.use(async ({ reads }) => {
      const rows = await Promise.all([
        reads.selectFrom('corrections').selectAll().execute(),
        reads.selectFrom('superseded').selectAll().execute(),
      ])
      return rows.flat().length === 0
    }),
  )
})

test('a view shows of a chain what it has, and leads to its own items alone', async () => {
  const old = await addItem(alice, datasetId, { name: 'Tom', age: 3 })
  const other = await correctItem(alice, datasetId, old, { values: { name: 'Tim' }, reason })
  expect(await alice.datasetVersionList({ datasetId: 'toms', itemId: old })).toEqual([
    expect.objectContaining({ id: old, change: 'added', author: { subject: 'alice' } }),
    { id: other, change: 'corrected' },
  ])
  expect(await server.replacements([old], { datasetId: 'toms' })).toEqual([
    { id: old, isWithdrawn: false },
  ])
  const { changes } = await alice.datasetDiff({ datasetId, from: 1 })
  expect(changes).toEqual([
    { change: 'added', item: expect.objectContaining({ id: other }) as object, replaces: old },
  ])
  const last = await correctItem(alice, datasetId, other, { values: { name: 'Tom' }, reason })
  expect(await server.replacements([old, other], { datasetId: 'toms' })).toEqual([
    { id: old, latest: last, isWithdrawn: false },
  ])
  await alice.viewCreate({ body: { name: 'frozen', base: `${datasetId}@2` } })
  expect(await server.versions(old, { datasetId: 'frozen' })).toEqual([
    [old, 'added'],
    [other, 'corrected'],
  ])
  await alice.viewCreate({ body: { name: 'sorted', base: 'frozen', order: ['name'] } })
  expect(await server.replacements([old, other], { datasetId: 'sorted' })).toEqual([
    { id: old, latest: other, isWithdrawn: false },
  ])
})

test('the log says what was replaced, after a restart as before', async () => {
  const old = await addItem(alice, datasetId, tim)
  const second = await correctItem(alice, datasetId, old, { values: { age: 5 }, reason })
  const { id: third } = await server.withdraw(second)
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
