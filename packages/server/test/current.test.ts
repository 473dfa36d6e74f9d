// @module-tag engines

import { addItem, addItems, type Client, correctItem, openReply } from '@vitrine/client'
import type { Exploration } from '@vitrine/contract'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allPages } from './all-pages.ts'
import { type CatServer, datasetId, reason, startCatServer } from './cat-server.ts'
import { times } from './times.ts'

let server: CatServer
let alice: Client

beforeEach(async () => {
  server = await startCatServer()
  alice = server.client
})

afterEach(() => server.close())

const seed = Number(process.env['CURRENT_SEED'] ?? Date.now() % 2 ** 31)
const names = ['Tom', 'Tim', 'Tam']

type Cat = { id: number; name: string; age: number; replaces?: number; withdraws?: boolean }
type Step = { kind: 'add' | 'correct' | 'withdraw'; index: number; name: string }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('add' as const, 'add' as const, 'correct' as const, 'withdraw' as const),
    index: fc.nat(),
    name: fc.constantFrom(...names),
  }),
  { minLength: 15, maxLength: 40 },
)

/** Adds cats, and corrects and withdraws some that hold. */
async function perform(some: readonly Step[]): Promise<Cat[]> {
  const cats: Cat[] = []
  for (const [at, { kind, index, name }] of some.entries()) {
    const held = cats.filter(({ id }) => cats.every(({ replaces }) => replaces !== id))
    const old = held[index % held.length]
    const values = { name, age: (index % 50) * 100 + at }
    if (kind === 'add' || old === undefined) {
      cats.push({ id: await addItem(alice, datasetId, values), ...values })
    } else if (kind === 'correct') {
      const id = await correctItem(alice, datasetId, old.id, { values, reason })
      cats.push({ id, ...values, replaces: old.id })
    } else if (old.withdraws !== true) {
      const { id } = await server.withdraw(old.id)
      cats.push({ ...old, id, replaces: old.id, withdraws: true })
    }
  }
  return cats
}

/** The cats that hold when there are so many, by the plainest means. */
function currentCats(cats: readonly Cat[], at: number): Cat[] {
  const then = cats.slice(0, at)
  return then.filter(
    ({ id, withdraws }) => withdraws !== true && then.every(({ replaces }) => replaces !== id),
  )
}

const explorations: { asked: Exploration; of: (cats: Cat[]) => Cat[] }[] = [
  { asked: {}, of: (cats) => cats },
  {
    asked: { where: { name: { eq: 'Tom' } } },
    of: (cats) => cats.filter(({ name }) => name === 'Tom'),
  },
  { asked: { order: ['-age'] }, of: (cats) => cats.toSorted((a, b) => b.age - a.age) },
  {
    asked: { q: 'ti', order: ['age'] },
    of: (cats) => cats.filter(({ name }) => name === 'Tim').toSorted((a, b) => a.age - b.age),
  },
]

async function exportedIds(asked: Exploration & { at?: number; from?: number }): Promise<number[]> {
  const reply = await openReply(alice, 'datasetExport', { datasetId, format: 'ndjson', ...asked })
  const lines = (await reply.text()).split('\n').slice(0, -1)
  return lines.map((line) => (JSON.parse(line) as { id: number }).id)
}

/** Expects pages, count, neighbours, export and summary of what is asked, now or in a state. */
async function expectCats(
  asked: Exploration & { at?: number },
  expected: readonly Cat[],
): Promise<void> {
  const ids = expected.map(({ id }) => id)
  const items = await allPages(server, datasetId, asked, 3)
  expect(items.map(({ id }) => id)).toEqual(ids)
  const { order: _, ...filter } = asked
  expect(await alice.datasetCount({ datasetId, ...filter })).toEqual({ totalItems: ids.length })
  expect(await exportedIds(asked)).toEqual(ids)
  const from = Math.floor(ids.length / 2)
  expect(await exportedIds({ ...asked, from })).toEqual(ids.slice(from))
  for (const [place, itemId] of ids.entries()) {
    const beside = await alice.datasetItemNeighbours({ datasetId, itemId, ...asked })
    expect([beside.previous, beside.next]).toEqual([ids[place - 1], ids[place + 1]])
  }
  const { fields, ...summary } = await alice.datasetSummary({ datasetId, ...filter })
  expect(summary).toMatchObject({ items: ids.length, exact: true })
  const ages = expected.map(({ age }) => age)
  expect(fields[1]).toMatchObject({
    present: ages.length,
    ...(ages.length > 0 && { least: Math.min(...ages), greatest: Math.max(...ages) }),
  })
  const counts = new Map(fields[0]!.commonest.map(({ value, count }) => [value, count]))
  for (const name of names) {
    const count = expected.filter((cat) => cat.name === name).length
    expect(counts.get(name) ?? 0).toBe(count)
  }
}

test(`the current items of any state are those that hold then (seed ${seed})`, async () => {
  const [some] = fc.sample(steps, { numRuns: 1, seed })
  const cats = await perform(some!)
  for (let round = 0; round < times('CURRENT_STATES', { first: 3, whole: 100 }); round += 1) {
    const at = (cats.length + round * 7919) % (cats.length + 1)
    for (const { asked, of } of explorations) {
      const expected = of(currentCats(cats, at))
      await expectCats({ ...asked, at, current: true }, expected)
      await expectCats({ ...asked, at, current: false }, of(cats.slice(0, at)))
    }
  }
  for (const { asked, of } of explorations) {
    await expectCats({ ...asked, current: true }, of(currentCats(cats, cats.length)))
  }
}, 60_000)

test('a page that was full is another one once an item of it was replaced', async () => {
  const [first, second, third] = [
    await addItem(alice, datasetId, { name: 'Tom', age: 1 }),
    await addItem(alice, datasetId, { name: 'Tim', age: 2 }),
    await addItem(alice, datasetId, { name: 'Tam', age: 3 }),
  ]
  const pages = async (asked: Exploration) => {
    const items = await alice.datasetItemList({ datasetId, pageSize: 2, current: true, ...asked })
    return items.map(({ id }) => id)
  }
  const byAge = { order: ['-age'] }
  expect([await pages({}), await pages(byAge)]).toEqual([
    [first, second],
    [third, second],
  ])
  const fourth = await correctItem(alice, datasetId, second, { values: { age: 0 }, reason })
  expect([await pages({}), await pages(byAge)]).toEqual([
    [first, third],
    [third, first],
  ])
  await server.withdraw(first)
  expect([await pages({}), await pages(byAge)]).toEqual([
    [third, fourth],
    [third, fourth],
  ])
  await server.restart()
  expect(await pages({})).toEqual([third, fourth])
})

test('a page is read past however many were withdrawn within it', async () => {
  const toms = Array.from({ length: 125 }, () => ({ name: 'Tom' }))
  for await (const added of addItems(alice, datasetId, toms)) expect(added).toHaveProperty('id')
  await Promise.all(Array.from({ length: 120 }, (_, index) => server.withdraw(3 + index)))
  for (const name of [datasetId, 'toms']) {
    const items = await allPages(server, name, { current: true }, 3)
    expect(items.map(({ id }) => id)).toEqual([1, 2, 123, 124, 125])
    const beside = { datasetId: name, itemId: 2, current: true }
    expect(await alice.datasetItemNeighbours(beside)).toEqual({ previous: 1, next: 123 })
  }
  expect(await exportedIds({ current: true, from: 1 })).toEqual([2, 123, 124, 125])
})

test('views of the first current items, and views on those, follow what was replaced', async () => {
  for (const age of [1, 2, 3, 4]) {
    await addItem(alice, datasetId, { name: age % 2 === 0 ? 'Tim' : 'Tom', age: age * 10 })
  }
  const youngest = { base: datasetId, current: true, order: 'age', limit: 2 }
  await alice.viewCreate({ body: { name: 'youngest', ...youngest } })
  await alice.viewCreate({ body: { name: 'by-name', base: 'youngest', order: '-name' } })
  await alice.viewCreate({ body: { name: 'first', base: datasetId, current: true, limit: 2 } })
  await alice.viewCreate({
    body: { name: 'first-toms', base: 'first', where: { name: { eq: 'Tom' } } },
  })
  const views = ['youngest', 'by-name', 'first', 'first-toms']
  const now = (at?: number) =>
    Promise.all(
      views.map(async (name) => {
        const state = at === undefined ? {} : { at }
        const items = await alice.datasetItemList({ datasetId: name, ...state })
        const { totalItems } = await alice.datasetCount({ datasetId: name, ...state })
        expect(totalItems).toBe(items.length)
        return items.map(({ id }) => id)
      }),
    )
  const before = [[1, 2], [1, 2], [1, 2], [1]]
  expect(await now()).toEqual(before)
  // The bound stays where it is: what comes in is before it as what falls out was.
  await correctItem(alice, datasetId, 1, { values: { age: 11 }, reason })
  const after = [[5, 2], [5, 2], [2, 3], [3]]
  expect(await now()).toEqual(after)
  await server.withdraw(2)
  expect(await now()).toEqual([[5, 3], [5, 3], [3, 4], [3]])
  expect([await now(4), await now(5)]).toEqual([before, after])
  const { added, removed, changes } = await alice.datasetDiff({
    datasetId: 'first',
    from: 4,
    to: 6,
  })
  expect({ added, removed, changes: changes.map(({ change, item }) => [change, item.id]) }).toEqual(
    {
      added: 2,
      removed: 2,
      changes: [
        ['removed', 1],
        ['removed', 2],
        ['added', 3],
        ['added', 4],
      ],
    },
  )
  await server.restart()
  expect([await now(4), await now(5)]).toEqual([before, after])
})

test('a view of current items says what replaced those that it leaves out', async () => {
  const body = { name: 'current-toms', base: 'toms', current: true }
  const old = await addItem(alice, datasetId, { name: 'Tom', age: 3 })
  await alice.viewCreate({ body })
  const id = await correctItem(alice, datasetId, old, { values: { age: 4 }, reason })
  const place = { datasetId: body.name }
  expect(await server.replacements([old, id], place)).toEqual([
    { id: old, latest: id, isWithdrawn: false },
  ])
  expect(await server.versions(old, place)).toEqual(await server.versions(id, place))
  await expect(alice.datasetItemGet({ ...place, itemId: old })).rejects.toMatchObject({
    status: 404,
  })
  expect((await alice.datasetItemList(place)).map((item) => item.id)).toEqual([id])
  const { createdAt } = await alice.datasetItemGet({ ...place, itemId: id })
  expect((await alice.datasetGrowth(place)).points).toEqual([{ items: 1, at: createdAt }])
})

test('a dataset says whether items of its repository were replaced', async () => {
  const says = async (name: string) =>
    (await alice.datasetGet({ datasetId: name })).hasReplacements ?? false
  await addItem(alice, datasetId, { name: 'Tom' })
  expect([await says(datasetId), await says('toms')]).toEqual([false, false])
  await server.withdraw(1)
  expect([await says(datasetId), await says('toms')]).toEqual([true, true])
})

test('what is neither true nor false is refused', async () => {
  const asked = { datasetId, current: 'yes' as unknown as boolean }
  for (const call of [alice.datasetItemList, alice.datasetCount, alice.datasetSummary]) {
    await expect(call(asked)).rejects.toMatchObject({
      code: 'QUERY_INVALID',
      body: { details: { problems: [{ path: ['current'], reason: 'must be true or false' }] } },
    })
  }
})
