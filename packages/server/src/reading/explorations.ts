import { hash } from 'node:crypto'
import {
  limits,
  type CheckedView,
  type Exploration,
  type Item,
  type ItemCount,
  checkView,
  searchedFields,
  searchedWhere,
  searchWords,
  withSchemas,
} from '@vitrine/contract'
import { touchExploration } from '../store/exploration-listings.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import type { ListingOwner } from '../store/listings.ts'
import type { ReadResult, ItemReader, Page } from './read-result.ts'
import type { Asking } from '../listings/catch-up.ts'
import { loadDefinitions, type Definitions } from '../language/definitions.ts'
import type { ReadableDataset } from './dataset-reader.ts'
import { openReader } from './open-reader.ts'
import { neededGrams } from '../search/needed-grams.ts'
import type { SearchIndexing } from './search-indexing.ts'
import type { ReadContext } from './read-context.ts'
import type { Snapshot } from './snapshot.ts'
import type { Summarized } from './summaries.ts'
import { derivedSequence, ownerKey, sequenceOf } from '../language/sequence.ts'
import { shownByView } from '../language/shown-fields.ts'
import { expectChecked, failAt } from '../failure.ts'
import { findDataset } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'

/** A dataset's items under a filter and an order. */
export type Explored = {
  page: (page: Page, asking?: Asking) => Promise<ReadResult<Item[]>>
  count: (asking?: Asking) => Promise<ReadResult<ItemCount>>
  neighbours: ItemReader['neighbours']
  /** All of them as they are now, to be read from a position on. */
  snapshot: ItemReader['snapshot']
  /** What a summary of them is made of; the order makes no difference. */
  summarized: () => Summarized
}

/** Compiled explorations that are kept. */
const keptMax = 200
/** How often it is noted that an exploration is asked for, in milliseconds. */
const touchMs = 60_000

type Explorable = Pick<
  ReadableDataset,
  'id' | 'revision' | 'orderRevision' | 'name' | 'schema' | 'items' | 'sequence' | 'shown'
>

/** What is asked in the clauses of a view. */
type Clauses = Pick<Exploration, 'where' | 'order'>

/**
 * Explorations are views without a name: `where` is one on the dataset, and `order` is one on what
 * passes, so that the count and another order share what was found. They keep listings as views do, but
 * only while somebody asks.
 */
export class Explorations {
  readonly #context: ReadContext
  readonly #onError: (error: unknown) => void
  readonly #compiled = new LruCache<string, Explored>(keptMax)
  /** When it was last noted that an owner is asked for. */
  readonly #touched = new LruCache<string, number>(keptMax)

  readonly #indexing: SearchIndexing

  constructor(
    context: ReadContext,
    { indexing, onError }: { indexing: SearchIndexing; onError: (error: unknown) => void },
  ) {
    this.#context = context
    this.#indexing = indexing
    this.#onError = onError
  }

  /**
   * What is asked of a dataset; undefined when that was deleted meanwhile.
   * @throws Failure QUERY_INVALID, naming the place of each problem
   */
  async find(dataset: Explorable, asked: Exploration): Promise<Explored | undefined> {
    const clauses = clausesOf(dataset, asked)
    const { where, order } = clauses
    if (where === undefined && order === undefined) return unasked(dataset)
    // Of one revision definitions never change, and ids are never given twice.
    const key = JSON.stringify([dataset.id, dataset.revision, where, order])
    const explored = this.#compiled.find(key) ?? (await this.#compile(dataset, clauses))
    if (explored !== undefined) this.#compiled.put(key, explored)
    return explored
  }

  async #compile(dataset: Explorable, clauses: Clauses): Promise<Explored | undefined> {
    const { reads } = this.#context.store
    const view = await checkExploration(reads, dataset.name, clauses)
    const definitions = await loadDefinitions(reads, view.dependsOn)
    // The name may have gone to another dataset meanwhile.
    if (definitions?.get(dataset.name).id !== dataset.id) return undefined
    return this.#open(dataset, view, definitions)
  }

  #open(dataset: Explorable, view: CheckedView, definitions: Definitions): Explored {
    const { id, revision, orderRevision, name, schema } = dataset
    const { where, order } = view.description
    const owner = (asked: object): ListingOwner => {
      const keyed = { ...asked, ...(orderRevision > 0 && { orderRevision }) }
      return { datasetId: id, exploration: hash('sha256', JSON.stringify(keyed)), orderRevision }
    }
    const passing = owner({ where })
    // A sort key is written otherwise where a value may be missing.
    const optional = view.order.flatMap(({ path }, index) => (path.optional ? [index] : []))
    const ordered = owner({ where, order, ...(optional.length > 0 && { optional }) })
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
    const isSearch = filtered.listing !== undefined && neededGrams(filtered.listing) !== undefined
    const touch = () => {
      const isNoted = read.map((each) => this.#touch(each)).includes(true)
      if (isNoted && isSearch) this.#indexing.begin(filtered.repoId)
    }
    const reader = openReader(this.#context, whole, show)
    const counted = openReader(this.#context, filtered, show)
    return {
      page: (page, asking) => {
        touch()
        return reader.page(page, asking)
      },
      count: (asking) => {
        if (where === undefined) return unasked(dataset).count(asking)
        touch()
        return countUpTo(counted, limits.countMax, asking)
      },
      neighbours: (itemId, asking) => {
        touch()
        return reader.neighbours(itemId, asking)
      },
      snapshot: async (from, asking) => {
        touch()
        return whileRead(await reader.snapshot(from, asking), touch)
      },
      summarized: () => {
        if (where === undefined) return unasked(dataset).summarized()
        touch()
        return { owner: passing, revision, schema, sequence: filtered, shown: show() }
      },
    }
  }

  /** Notes that an owner is asked for, unless that was noted a short while ago; says whether it did. */
  #touch(owner: ListingOwner): boolean {
    const key = ownerKey(owner)
    const now = performance.now()
    if (now - (this.#touched.find(key) ?? -Infinity) < touchMs) return false
    this.#touched.put(key, now)
    this.#context.store
      .write((transaction) => touchExploration(transaction, owner), { derived: true })
      .catch(this.#onError)
    return true
  }
}

/** A snapshot that tells of each window that is read. */
function whileRead(snapshot: Snapshot, tell: () => void): Snapshot {
  return {
    ...snapshot,
    read: async function* (to, columns) {
      for await (const rows of snapshot.read(to, columns)) {
        tell()
        yield rows
      }
    },
  }
}

/** All items of a dataset, in its order. */
function unasked({ id, revision, items, schema, sequence, shown }: Explorable): Explored {
  return {
    page: (page, asking) => items.page(page, asking),
    count: (asking) => countUpTo(items, Infinity, asking),
    neighbours: (itemId, asking) => items.neighbours(itemId, asking),
    snapshot: (from, asking) => items.snapshot(from, asking),
    summarized: () => {
      return { owner: { datasetId: id, exploration: '' }, revision, schema, sequence, shown }
    },
  }
}

async function countUpTo(
  items: ItemReader,
  max: number,
  asking?: Asking,
): Promise<ReadResult<ItemCount>> {
  const { value, progress } = await items.count(asking, max)
  if (value > max) return { value: { totalItems: max, exact: false } }
  if (progress === undefined) return { value: { totalItems: value } }
  return { value: { totalItems: value, exact: false }, progress }
}

/**
 * Words are looked for by the condition that says so.
 * @throws Failure QUERY_INVALID where a dataset has no field to look for words in
 */
function clausesOf({ schema }: Explorable, asked: Exploration): Clauses {
  if (searchWords(asked.q ?? '').length > 0 && searchedFields(schema).length === 0) {
    const reason = 'no field of this dataset is text or an address'
    throw failAt('QUERY_INVALID', [{ path: ['q'], reason }])
  }
  return { where: searchedWhere(asked, schema), order: asked.order }
}

/**
 * What is asked of a dataset, as the view on it that it would be.
 * @throws Failure QUERY_INVALID, naming the place of each problem
 */
async function checkExploration(
  db: Db,
  base: string,
  { where, order }: Clauses,
): Promise<CheckedView> {
  // A view has a name, and it is not that of its base.
  const name = base === 'explored' ? 'exploration' : 'explored'
  const written = {
    name,
    base,
    ...(where !== undefined && { where }),
    ...(order !== undefined && { order }),
  }
  const checked = await withSchemas(
    (resolve) => checkView(written, resolve),
    async (needed) => (await findDataset(db, needed))?.schema,
  )
  return expectChecked('QUERY_INVALID', checked)
}
