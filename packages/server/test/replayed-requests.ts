import { worlds } from '../../contract/test/arbitraries.ts'
import type { World } from '../../contract/test/sample-world.ts'
import type { Choices } from './choices.ts'
import { extendRepo } from './replayed-extensions.ts'
import { importRows } from './replayed-imports.ts'
import { addSampleItem } from './replayed-inserts.ts'
import { readDataset, spoil } from './replayed-reads.ts'
import { jsonRequest, request, type Requests } from './replayed-request.ts'
import { schedule, type Action } from './view-schedule.ts'

/** Requests without end: one world after the other comes about, is read, and is deleted. */
export function* replayedRequests(choices: Choices): Requests {
  for (;;) {
    const world = choices.sample(worlds)
    const order = Array.from({ length: 60 }, () => choices.below(2 ** 16))
    for (const { actions, after } of schedule(world, order)) {
      for (const action of actions) yield* perform(choices, after, action)
    }
    yield* importRows(choices, 'imported')
    yield* extendRepo(choices, 'imported')
    for (let count = 0; count < 40; count += 1) {
      yield* readDataset(choices, world, choices.pick(world).name)
    }
    // Chance alone would leave these out now and then.
    yield request('datasetGet', { datasetId: 'nobody' })
    for (const list of ['datasetList', 'repoList', 'viewList'] as const) {
      yield request(list)
      yield request(list, {}, { search: 'page=x' })
    }
    yield request('damageList')
    yield request('damageList', {}, { search: 'page=x' })
    yield request('repoDelete', { datasetId: 'imported' })
    // Those that others refer to are refused until the others are gone.
    for (const { name } of world.slice(0, 2)) yield* remove(choices, world, name)
    for (const { name } of world.toReversed()) yield* remove(choices, world, name)
  }
}

function* perform(choices: Choices, world: World, action: Action): Requests {
  switch (action.kind) {
    case 'create': {
      const { dataset } = action
      const isView = 'view' in dataset
      const call = isView ? 'viewCreate' : 'repoCreate'
      const description = isView ? dataset.view : { name: dataset.name, schema: dataset.schema }
      if (choices.happens(20)) yield jsonRequest(call, {}, spoil(choices, description))
      yield jsonRequest(call, {}, description)
      if (choices.happens(20)) yield jsonRequest(call, {}, description)
      if (choices.happens(10)) {
        const schema = [{ name: 'other', type: 'string' }]
        yield jsonRequest('repoCreate', {}, { name: dataset.name, schema })
      }
      return
    }
    case 'commit': {
      const repo = world.find(({ name }) => name === action.repo)!
      if ('schema' in repo) yield* addSampleItem(choices, repo, action.item)
      return
    }
    case 'read':
      return yield* readDataset(choices, world, action.name)
    case 'restart':
      yield request('datasetList')
  }
}

function* remove(choices: Choices, world: World, name: string): Requests {
  const isView = 'view' in world.find((each) => each.name === name)!
  const [right, wrong] = isView
    ? (['viewDelete', 'repoDelete'] as const)
    : (['repoDelete', 'viewDelete'] as const)
  if (choices.happens(10)) yield request(wrong, { datasetId: name })
  yield request(right, { datasetId: name })
}
