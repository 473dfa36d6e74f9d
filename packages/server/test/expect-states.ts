import type { Item, ViewDescription } from '@vitrine/contract'
import { expect } from 'vitest'
import { evaluate, headOf, searchItems } from '../../contract/test/reference-evaluator.ts'
import type { SampleDataset, World } from '../../contract/test/sample-world.ts'
import { askedBy, explore, idsBelow } from './asked-views.ts'
import { expectCurrent } from './expect-current.ts'
import { asItem, asSealedItem } from './sample-items.ts'
import type { SampleStore } from './sample-store.ts'

/** Some states of a dataset: none, all, and others between them. */
export async function expectStates(
  sample: SampleStore,
  world: World,
  dataset: SampleDataset,
  { round, pageSize }: { round: number; pageSize: number },
): Promise<void> {
  const { name } = dataset
  const head = headOf(world, name)
  await expect(sample.datasets.find(name, head + 1)).rejects.toMatchObject({
    code: 'STATE_NOT_FOUND',
    details: { totalItems: head },
  })
  const some = round === 0 ? [0, Math.floor(head / 2)] : [Math.floor((head * 3) / 4), head]
  for (const at of new Set(some)) {
    await expectState(sample, world, name, { at, pageSize })
    if ('view' in dataset) await expectExploredState(sample, world, dataset.view, { at, pageSize })
    if (at === some.at(-1)) await expectCurrent(sample, world, dataset, { at, pageSize })
    const words = searchItems(world, name, 'a', at)
    if (words === undefined) continue
    const state = (await sample.datasets.find(name, at))!
    const explored = (await sample.datasets.explorations.find(state, { q: 'a' }, 'all'))!
    expect(await explored.count()).toEqual({ value: { totalItems: words.length } })
    expect((await explored.page({ page: 0, pageSize: 1000 })).value).toEqual(words.map(asItem))
  }
}

/** Every page, the count, and of every item whether it is there and what stands beside it. */
export async function expectState(
  sample: SampleStore,
  world: World,
  name: string,
  { at, pageSize }: { at: number; pageSize: number },
): Promise<void> {
  const expected = evaluate(world, name, at)
  const { items } = (await sample.datasets.find(name, at))!
  const paged: Item[] = []
  for (let page = 0; page * pageSize <= expected.length; page += 1) {
    const { value, progress } = await items.page({ page, pageSize })
    expect(progress).toBe(undefined)
    paged.push(...value)
  }
  expect(paged, `${name}@${at}`).toEqual(expected.map(asItem))
  expect(await items.count()).toEqual({ value: expected.length })
  const places = new Map(expected.map(({ id }, place) => [id, place]))
  for (const id of idsBelow(world, name)) {
    const place = places.get(id)
    const item = place === undefined ? undefined : expected[place]
    expect((await items.get(id)).value).toEqual(item && asSealedItem(item))
    const beside = place === undefined ? undefined : [expected[place - 1], expected[place + 1]]
    const found = await items.neighbours(id)
    expect(found && [found.previous, found.next]).toEqual(beside?.map((each) => each?.id))
  }
}

/** Expects the result of exploring a state of a base by the clauses of a view. */
async function expectExploredState(
  sample: SampleStore,
  world: World,
  view: ViewDescription,
  { at, pageSize }: { at: number; pageSize: number },
): Promise<void> {
  const expected = evaluate([...world, askedBy(view)], 'asked', at).map(asItem)
  const explored = await explore(sample, view, { at })
  expect(await explored.count()).toEqual({ value: { totalItems: expected.length } })
  const paged: Item[] = []
  for (let page = 0; page * pageSize <= expected.length; page += 1) {
    paged.push(...(await explored.page({ page, pageSize })).value)
  }
  expect(paged).toEqual(expected)
}
