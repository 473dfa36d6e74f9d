import type { Item } from '@vitrine/contract'
import { expect } from 'vitest'
import { evaluateCurrent } from '../../contract/test/reference-evaluator.ts'
import type { SampleDataset, SampleItem, World } from '../../contract/test/sample-world.ts'
import type { ItemQuery } from '../src/reading/item-query.ts'
import { askedBy, explore, idsBelow } from './asked-views.ts'
import { asItem } from './sample-items.ts'
import type { SampleStore } from './sample-store.ts'

/** Neighbours are compared of one item in so many: each is found by itself. */
const neighboursEach = 3

/** The current items of a dataset or of a state, and of those that the clauses of a view ask of its base. */
export async function expectCurrent(
  sample: SampleStore,
  world: World,
  dataset: SampleDataset,
  { at, pageSize }: { at?: number; pageSize: number },
): Promise<void> {
  const { name } = dataset
  const ids = idsBelow(world, name)
  const found = (await sample.datasets.find(name, at))!
  const query = await sample.datasets.explorations.find(found, { current: true }, 'all')
  await expectItems(query!, evaluateCurrent(world, name, at), { ids, pageSize })
  if (!('view' in dataset)) return
  const explored = await explore(sample, dataset.view, {
    ...(at !== undefined && { at }),
    current: true,
  })
  const expected = evaluateCurrent([...world, askedBy(dataset.view)], 'asked', at)
  await expectItems(explored, expected, { ids, pageSize })
}

/** Every page, the count, what an export reads from a place on, and what stands beside some items. */
async function expectItems(
  query: ItemQuery,
  expected: readonly SampleItem[],
  { ids, pageSize }: { ids: readonly number[]; pageSize: number },
): Promise<void> {
  expect(await query.count()).toEqual({ value: { totalItems: expected.length } })
  const paged: Item[] = []
  for (let page = 0; page * pageSize <= expected.length; page += 1) {
    const { value, progress } = await query.page({ page, pageSize })
    expect(progress).toBe(undefined)
    paged.push(...value)
  }
  expect(paged).toEqual(expected.map(asItem))
  const from = Math.floor(expected.length / 2)
  const snapshot = await query.snapshot(from)
  expect(snapshot.count).toBe(expected.length)
  let read = 0
  for await (const rows of snapshot.read(snapshot.count, [{ at: 0, presentAt: 0 }]))
    read += rows.count
  expect(read).toBe(expected.length - from)
  const places = new Map(expected.map(({ id }, place) => [id, place]))
  for (const id of ids.filter((_, index) => index % neighboursEach === 0)) {
    const place = places.get(id)
    const beside = place === undefined ? undefined : [expected[place - 1], expected[place + 1]]
    const found = await query.neighbours(id)
    expect(found && [found.previous, found.next]).toEqual(beside?.map((each) => each?.id))
  }
}
