// @module-tag engines

import type { Item, ViewDescription } from '@vitrine/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { worldsOfStates } from '../../contract/test/arbitraries.ts'
import {
  countUnparsed,
  evaluate,
  evaluateCurrent,
  headOf,
  searchItems,
} from '../../contract/test/reference-evaluator.ts'
import type { SampleDataset, World } from '../../contract/test/sample-world.ts'
import { checkDataset } from '../src/upkeep/verify/check-derived.ts'
import { previewView } from '../src/datasets/create-view.ts'
import type { ItemReader } from '../src/reading/read-result.ts'
import type { ItemQuery } from '../src/reading/item-query.ts'
import { usualSizes, type Sizes } from '../src/listings/sizes.ts'
import { askedBy, explore, idsBelow } from './asked-views.ts'
import { expectCurrent } from './expect-current.ts'
import { expectState, expectStates } from './expect-states.ts'
import { asItem, asSealedItem } from './sample-items.ts'
import { SampleStore } from './sample-store.ts'
import { schedule, type Action } from './view-schedule.ts'
import { times } from './times.ts'

const runs = times('VIEW_CASES', { first: 5, again: 10, whole: 150 })
const seed = Number(process.env['VIEW_SEED'] ?? Date.now() % 2 ** 31)

/** Sizes by which a few items take many windows and blocks. */
const tiny: Sizes = {
  blockMax: 4,
  block: 2,
  sortedInPlace: 1000,
  sortedEarly: Infinity,
  sortedBatch: 4,
  window: { size: 3, targetMs: 0 },
}
const sizes = fc.oneof(
  { weight: 6, arbitrary: fc.constant(tiny) },
  { weight: 3, arbitrary: fc.constant(usualSizes) },
  // Sorts apart, in a thread of its own for each, from the first window on where that can be.
  { weight: 1, arbitrary: fc.constant({ ...tiny, sortedInPlace: 2, sortedEarly: 1 }) },
)

test(
  `views are what the reference evaluator says (seed ${seed})`,
  { tags: 'long', timeout: 36_000_000 },
  () =>
    fc.assert(
      fc.asyncProperty(
        worldsOfStates,
        fc.array(fc.nat(), { minLength: 40, maxLength: 80 }),
        sizes,
        fc.integer({ min: 1, max: 7 }),
        async (world, choices, size, pageSize) => {
          await using sample = await SampleStore.open(size)
          let now: World = []
          for (const { actions, after } of schedule(world, choices)) {
            const before = now
            now = after
            await perform(sample, actions, { before, pageSize })
          }
          for (let round = 0; round < 2; round += 1) {
            for (const { name } of now) await expectWhole(sample, now, name, pageSize)
            for (const dataset of now) await expectExplored(sample, now, dataset, pageSize)
            for (const dataset of now) await expectCurrent(sample, now, dataset, { pageSize })
            for (const { name } of now) await expectSearched(sample, now, name, pageSize)
            for (const dataset of now) await expectStates(sample, now, dataset, { round, pageSize })
            for (const { name } of now) await expectDerived(sample, name)
            await sample.forgetListings()
          }
        },
      ),
      { numRuns: runs, seed, endOnFailure: true },
    ),
)

/** Whatever a view is and however it came to be, what is kept of it is what it is derived from. */
async function expectDerived({ datasets, store }: SampleStore, name: string): Promise<void> {
  await datasets.summarize({ name, at: undefined }, {}, { visibility: 'all' })
  const { id } = (await datasets.find(name))!
  const checking = checkDataset({ datasets, store }, id, 'whole')
  for (;;) {
    const { done, value: fault } = await checking.next()
    if (done !== true) continue
    expect(fault).toBeUndefined()
    return
  }
}

/** Begins all actions before any is done; a read sees the commits that were done before, and any more. */
async function perform(
  sample: SampleStore,
  actions: readonly Action[],
  { before, pageSize }: { before: World; pageSize: number },
): Promise<void> {
  const commits = actions.filter((action) => action.kind === 'commit')
  await Promise.all(
    actions.map((action) => {
      switch (action.kind) {
        case 'create':
          return sample.create(action.dataset)
        case 'restart':
          return sample.restart()
        case 'commit':
          return sample.commit(action.repo, action.item)
        case 'read': {
          const states = statesWith(before, commits)
          return Promise.all([
            expectOneOf(sample, states, action.name, pageSize),
            expectExploredOneOf(sample, states, action.name, pageSize),
            expectCurrentOneOf(sample, states, action.name, pageSize),
            expectState(sample, before, action.name, {
              at: Math.floor(headOf(before, action.name) / 2),
              pageSize,
            }),
          ])
        }
      }
    }),
  )
}

type Commit = Extract<Action, { kind: 'commit' }>

/** The world as it is, and after each of the commits. */
function statesWith(world: World, commits: readonly Commit[]): World[] {
  const states = [world]
  for (const { repo, item } of commits) {
    states.push(
      states
        .at(-1)!
        .map((dataset) =>
          'items' in dataset && dataset.name === repo
            ? { ...dataset, items: [...dataset.items, item] }
            : dataset,
        ),
    )
  }
  return states
}

async function expectOneOf(
  sample: SampleStore,
  states: readonly World[],
  name: string,
  pageSize: number,
): Promise<void> {
  const { items } = (await sample.datasets.find(name))!
  await expectPageOf(items, states, name, pageSize)
}

/** Expects the result of exploring a base by the clauses of a view. */
async function expectExploredOneOf(
  sample: SampleStore,
  states: readonly World[],
  name: string,
  pageSize: number,
): Promise<void> {
  const dataset = states[0]!.find((each) => each.name === name)!
  if (!('view' in dataset)) return
  const explored = await explore(sample, dataset.view)
  const asked = states.map((world) => [...world, askedBy(dataset.view)])
  await expectPageOf(explored, asked, 'asked', pageSize)
}

/** Expects the current items of a dataset, and of what the clauses of a view ask of its base. */
async function expectCurrentOneOf(
  sample: SampleStore,
  states: readonly World[],
  name: string,
  pageSize: number,
): Promise<void> {
  const found = (await sample.datasets.find(name))!
  const query = await sample.datasets.explorations.find(found, { current: true }, 'all')
  await expectPageOf(query!, states, name, pageSize, evaluateCurrent)
  const dataset = states[0]!.find((each) => each.name === name)!
  if (!('view' in dataset)) return
  const explored = await explore(sample, dataset.view, { current: true })
  const asked = states.map((world) => [...world, askedBy(dataset.view)])
  await expectPageOf(explored, asked, 'asked', pageSize, evaluateCurrent)
}

async function expectPageOf(
  items: ItemQuery | ItemReader,
  states: readonly World[],
  name: string,
  pageSize: number,
  evaluated: typeof evaluate = evaluate,
): Promise<void> {
  const page = Math.floor(evaluated(states.at(-1)!, name).length / pageSize / 2)
  const { value, progress } = await items.page({ page, pageSize })
  expect(progress).toBe(undefined)
  const allowed = states.map((world) =>
    JSON.stringify(
      evaluated(world, name)
        .slice(page * pageSize, (page + 1) * pageSize)
        .map(asItem),
    ),
  )
  expect(allowed).toContain(JSON.stringify(value))
}

/** Every page, the count, the preview, and of every item whether it is there. */
async function expectWhole(
  sample: SampleStore,
  world: World,
  name: string,
  pageSize: number,
): Promise<void> {
  const expected = evaluate(world, name)
  const { items } = (await sample.datasets.find(name))!
  expect(await items.count()).toEqual({ value: expected.length })
  expect(await items.page({ page: 0, pageSize: 1000 })).toEqual({ value: expected.map(asItem) })
  const paged: Item[] = []
  for (let page = 0; ; page += 1) {
    const { value } = await items.page({ page, pageSize })
    paged.push(...value)
    if (value.length < pageSize) break
  }
  expect(paged).toEqual(expected.map(asItem))
  const pages = Math.ceil(expected.length / pageSize)
  expect(await items.page({ page: pages + 1, pageSize })).toEqual({ value: [] })

  const dataset = world.find((each) => each.name === name)!
  if ('view' in dataset) {
    expect(
      await previewView(sample.store, sample.datasets, { input: dataset.view, visibility: 'all' }),
    ).toMatchObject({
      items: expected.slice(0, 20).map(asItem),
      totalItems: expected.length,
      exact: true,
      unparsed: castsIn(dataset.view).map((field) => {
        return { field, count: countUnparsed(world, name, field) }
      }),
    })
  }

  const byId = new Map(expected.map((item) => [item.id, item]))
  for (const id of idsBelow(world, name)) {
    const item = byId.get(id)
    expect((await items.get(id)).value).toEqual(item && asSealedItem(item))
    expect(await items.has(id)).toBe(item !== undefined)
  }
}

function castsIn({ fields }: ViewDescription): string[] {
  const picked = Array.isArray(fields) ? fields : []
  return picked.filter(({ as }) => as !== undefined).map(({ name }) => name)
}

/** Every page and the count of what the clauses of a view ask of its base. */
async function expectExplored(
  sample: SampleStore,
  world: World,
  dataset: SampleDataset,
  pageSize: number,
): Promise<void> {
  if (!('view' in dataset)) return
  const expected = evaluate([...world, askedBy(dataset.view)], 'asked').map(asItem)
  const explored = await explore(sample, dataset.view)
  expect(await explored.count()).toEqual({ value: { totalItems: expected.length } })
  const paged: Item[] = []
  for (let page = 0; page * pageSize <= expected.length; page += 1) {
    paged.push(...(await explored.page({ page, pageSize })).value)
  }
  expect(paged).toEqual(expected)
}

/** Every page and the count of the items that have words in them, of which some are in few texts. */
async function expectSearched(
  sample: SampleStore,
  world: World,
  name: string,
  pageSize: number,
): Promise<void> {
  const dataset = (await sample.datasets.find(name))!
  const found = ['a', 'SS', 'A b'].map((q) => ({ q, items: searchItems(world, name, q) }))
  for (const { q, items } of found) {
    if (items === undefined) {
      await expect(sample.datasets.explorations.find(dataset, { q }, 'all')).rejects.toMatchObject({
        code: 'QUERY_INVALID',
      })
      continue
    }
    const explored = (await sample.datasets.explorations.find(dataset, { q }, 'all'))!
    expect(await explored.count()).toEqual({ value: { totalItems: items.length } })
    const paged: Item[] = []
    for (let page = 0; page * pageSize <= items.length; page += 1) {
      paged.push(...(await explored.page({ page, pageSize })).value)
    }
    expect(paged).toEqual(items.map(asItem))
  }
}
