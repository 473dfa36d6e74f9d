import { baseOf } from '@vitrine/contract'
import { headOf } from '../../contract/test/reference-evaluator.ts'
import type { SampleDataset, SampleItem, World } from '../../contract/test/sample-world.ts'

type Repo = Extract<SampleDataset, { items: unknown }>

export type Action =
  | { kind: 'create'; dataset: SampleDataset }
  | { kind: 'commit'; repo: string; item: SampleItem }
  | { kind: 'read'; name: string }
  | { kind: 'restart' }

/** Actions that are begun at once, and the world when they are done. */
export type Step = { actions: Action[]; after: World }

/**
 * Brings a world about in an order that the choices make: its datasets in theirs, its items between them,
 * each after those that it refers to, and reads at any time.
 */
export function* schedule(world: World, choices: readonly number[]): Generator<Step> {
  const now: SampleDataset[] = []
  const perform = (action: Action): Action => {
    if (action.kind === 'create') {
      const { dataset } = action
      now.push('items' in dataset ? { ...dataset, items: [] } : dataset)
    } else if (action.kind === 'commit') {
      const index = now.findIndex(({ name }) => name === action.repo)
      const repo = now[index] as Repo
      now[index] = { ...repo, items: [...repo.items, action.item] }
    }
    return action
  }
  const step = (actions: Action[]): Step => ({ actions: actions.map(perform), after: [...now] })

  for (const choice of choices) {
    const pick = <T>(from: readonly T[]): T => from[Math.floor(choice / 16) % from.length]!
    const created = now.map(({ name }) => name)
    switch (choice % 16) {
      case 0:
      case 1:
      case 2: {
        const next = world[now.length]
        if (next !== undefined && canCreate(next, now))
          yield step([{ kind: 'create', dataset: next }])
        break
      }
      case 3:
      case 4:
      case 5:
        if (created.length > 0) yield step([{ kind: 'read', name: pick(created) }])
        break
      case 6:
        yield step([{ kind: 'restart' }])
        break
      default: {
        // A few commits, and reads among them that see some of them or none.
        const size = 1 + (Math.floor(choice / 16) % 4)
        const actions: Action[] = []
        for (let count = 0; count < size; count += 1) {
          const next = pickNext(world, now, choice + count)
          if (next !== undefined) actions.push(...step([next]).actions)
        }
        const after = [...now]
        if (actions.length > 0) {
          if (choice % 2 === 0) actions.push({ kind: 'read', name: pick(created) })
          yield { actions, after }
        }
      }
    }
  }
  for (;;) {
    const dataset = world[now.length]
    const next: Action | undefined =
      dataset !== undefined && canCreate(dataset, now)
        ? { kind: 'create', dataset }
        : pickNext(world, now, 0)
    if (next === undefined) return
    yield step([next])
  }
}

/** A view on a state can be created once its repository has had so many items. */
function canCreate(dataset: SampleDataset, now: World): boolean {
  if ('items' in dataset) return true
  const { name, at = 0 } = baseOf(dataset.view)
  return headOf(now, name) >= at
}

/** An item that can be committed: the next one of a repository, when what it refers to is there. */
function pickNext(world: World, now: World, choice: number): Action | undefined {
  const ready = now.flatMap((dataset): Action[] => {
    if (!('items' in dataset)) return []
    const whole = world.find(({ name }) => name === dataset.name) as Repo
    const item = whole.items[dataset.items.length]
    return item !== undefined && isReady(whole, item, now)
      ? [{ kind: 'commit', repo: dataset.name, item }]
      : []
  })
  return ready[choice % ready.length]
}

function isReady({ schema }: Repo, { data }: SampleItem, now: World): boolean {
  return schema.every((field) => {
    const value = data[field.name]
    if (field.type !== 'reference' || value === undefined) return true
    return repoOf(field.target, now).items.some(({ id }) => id === value)
  })
}

function repoOf(name: string, world: World): Repo {
  const dataset = world.find((each) => each.name === name)!
  return 'items' in dataset ? dataset : repoOf(baseOf(dataset.view).name, world)
}
