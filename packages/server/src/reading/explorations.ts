import { hash } from 'node:crypto'
import {
  limits,
  type CheckedView,
  type Exploration,
  type Item,
  type ItemCount,
} from '@vitrine/contract'
import { touchExploration } from '../store/exploration-listings.ts'
import { Kept } from '../runtime/lru-cache.ts'
import type { ListingOwner } from '../store/listings.ts'
import type { Answer, Asking, ItemReader, Page } from '../views/answer.ts'
import { checkExploration } from '../views/check-exploration.ts'
import { loadDefinitions, type Definitions } from '../language/definitions.ts'
import { openReader } from './open-reader.ts'
import type { ReadContext } from '../views/read-context.ts'
import { derivedSequence, ownerKey, sequenceOf } from '../language/sequence.ts'
import { shownByView } from '../language/shown-fields.ts'

/** What a dataset shows of what is asked of it. */
export type Explored = {
  page: (page: Page, asking?: Asking) => Promise<Answer<Item[]>>
  count: (asking?: Asking) => Promise<Answer<ItemCount>>
}

/** Compiled explorations that are kept. */
const keptMax = 200
/** How often it is noted that an exploration is asked for, in milliseconds. */
const touchMs = 60_000

type Explorable = { id: number; name: string; items: ItemReader }

/**
 * Explorations are views without a name: `where` is one on the dataset, and `order` is one on what
 * passes, so that the count and another order share what was found. They keep listings as views do, but
 * only while somebody asks.
 */
export class Explorations {
  readonly #context: ReadContext
  readonly #onError: (error: unknown) => void
  readonly #compiled = new Kept<string, Explored>(keptMax)
  /** When it was last noted that an owner is asked for. */
  readonly #touched = new Kept<string, number>(keptMax)

  constructor(context: ReadContext, { onError }: { onError: (error: unknown) => void }) {
    this.#context = context
    this.#onError = onError
  }

  /**
   * What is asked of a dataset; undefined when that was deleted meanwhile.
   * @throws Failure QUERY_INVALID, naming the place of each problem
   */
  async find(dataset: Explorable, asked: Exploration): Promise<Explored | undefined> {
    // Definitions never change and ids are never given twice.
    const key = JSON.stringify([dataset.id, asked.where, asked.order])
    const explored = this.#compiled.find(key) ?? (await this.#compile(dataset, asked))
    if (explored !== undefined) this.#compiled.put(key, explored)
    return explored
  }

  async #compile(dataset: Explorable, asked: Exploration): Promise<Explored | undefined> {
    if (asked.where === undefined && asked.order === undefined) return unasked(dataset.items)
    const { reads } = this.#context.store
    const view = await checkExploration(reads, dataset.name, asked)
    const definitions = await loadDefinitions(reads, view.dependsOn)
    // The name may have gone to another dataset meanwhile.
    if (definitions?.get(dataset.name).id !== dataset.id) return undefined
    return this.#open(dataset, view, definitions)
  }

  #open({ id, name, items }: Explorable, view: CheckedView, definitions: Definitions): Explored {
    const { where, order } = view.description
    const owner = (asked: unknown): ListingOwner => {
      return { datasetId: id, exploration: hash('sha256', JSON.stringify(asked)) }
    }
    const passing = owner({ where })
    const ordered = owner({ where, order })
    const read = [where && passing, order && ordered].filter((each) => each !== undefined)
    const of = { baseName: name, definitions }
    const filtered = derivedSequence(
      sequenceOf(name, definitions),
      { where: view.where, order: [] },
      { ...of, owner: passing },
    )
    const whole = derivedSequence(
      filtered,
      { where: [], order: view.order },
      { ...of, owner: ordered },
    )
    const show = (only?: string) => shownByView(view, definitions, only)
    const reader = openReader(this.#context, whole, show)
    const counted = openReader(this.#context, filtered, show)
    return {
      page: (page, asking) => {
        for (const each of read) this.#touch(each)
        return reader.page(page, asking)
      },
      count: (asking) => {
        if (where === undefined) return unasked(items).count(asking)
        this.#touch(passing)
        return countUpTo(counted, limits.countMax, asking)
      },
    }
  }

  #touch(owner: ListingOwner): void {
    const key = ownerKey(owner)
    const now = performance.now()
    if (now - (this.#touched.find(key) ?? -Infinity) < touchMs) return
    this.#touched.put(key, now)
    this.#context.store
      .write((transaction) => touchExploration(transaction, owner), { derived: true })
      .catch(this.#onError)
  }
}

/** All items of a dataset, in its order. */
function unasked(items: ItemReader): Explored {
  return {
    page: (page, asking) => items.page(page, asking),
    count: (asking) => countUpTo(items, Infinity, asking),
  }
}

async function countUpTo(
  items: ItemReader,
  max: number,
  asking?: Asking,
): Promise<Answer<ItemCount>> {
  const { value, progress } = await items.count(asking, max)
  if (value > max) return { value: { totalItems: max, exact: false } }
  if (progress === undefined) return { value: { totalItems: value } }
  return { value: { totalItems: value, exact: false }, progress }
}
