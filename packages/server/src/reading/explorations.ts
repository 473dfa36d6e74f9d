import { hash } from 'node:crypto'
import {
  limits,
  type CheckedView,
  type Condition,
  type Exploration,
  type Item,
  type ItemCount,
  checkView,
  labelField,
  searchedFields,
  searchedLabel,
  searchedReferences,
  searchedWhere,
  searchWords,
  withSchemas,
} from '@vitrine/contract'
import { LruCache } from '../runtime/lru-cache.ts'
import type { ListingOwner } from '../store/listings.ts'
import type { ReadResult, ItemReader, Page } from './read-result.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import { loadDefinitions, type Definitions } from '../language/definitions.ts'
import type { CompiledDatasets, ReadableDataset } from './compiled-datasets.ts'
import { FirstItems } from './first-items.ts'
import { openReader } from './open-reader.ts'
import { neededGrams } from '../search-index/needed-grams.ts'
import { LabelCache } from './search/label-cache.ts'
import type { SearchIndexing } from './search/search-indexing.ts'
import type { ReadContext } from './read-context.ts'
import type { Summarized } from './summaries/summaries.ts'
import { ownerKey } from '../language/sequence.ts'
import { derivedSequence } from '../language/derive-sequence.ts'
import { sequenceOf } from '../language/sequence-of.ts'
import { stateKey, stateSequence } from '../language/state-sequence.ts'
import { shownByView } from '../language/shown-fields.ts'
import { expectChecked, failAt } from '../failure.ts'
import { findDataset, findVisibleDataset, labelSource } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'
import type { SummaryOwner } from '../store/summaries.ts'
import { listHidden, type Visibility } from '../store/visibility.ts'
import { unkeptOwners, type Touches } from './touches.ts'

/** A dataset's items under a filter and an order. */
export type ItemQuery = {
  page: (page: Page, options?: ReadOptions) => Promise<ReadResult<Item[]>>
  count: (options?: ReadOptions) => Promise<ReadResult<ItemCount>>
  neighbours: ItemReader['neighbours']
  /** All of them as they are now, to be read from a position on. */
  snapshot: ItemReader['snapshot']
  /** Source of a summary of these items, whatever their order. */
  summarized: () => Summarized
}

/** A compiled exploration, and the datasets that its paths lead to. */
type Compiled = { query: ItemQuery; followed: readonly string[] }

/** Compiled explorations that are kept. */
const keptMax = 200

type Explorable = Pick<
  ReadableDataset,
  'id' | 'revision' | 'orderRevision' | 'name' | 'at' | 'schema' | 'items' | 'sequence' | 'shown'
>

type ExplorationsOptions = {
  indexing: SearchIndexing
  touches: Touches
  /** Datasets that references lead to. */
  datasets: CompiledDatasets
}

/** Clauses of an exploration that a view has as well. */
type Clauses = Pick<Exploration, 'where' | 'order'>

/**
 * Explorations are views without a name: `where` is one on the dataset, and `order` is one on what
 * passes, so that the count and another order share what was found. They keep listings as views do, but
 * only while somebody asks.
 */
export class Explorations {
  readonly #context: ReadContext
  readonly #touches: Touches
  readonly #datasets: CompiledDatasets
  readonly #compiled = new LruCache<string, Compiled>(keptMax)

  readonly #indexing: SearchIndexing
  readonly #labels: LabelCache

  constructor(context: ReadContext, { indexing, touches, datasets }: ExplorationsOptions) {
    this.#context = context
    this.#labels = new LabelCache(context.store.reads)
    this.#indexing = indexing
    this.#touches = touches
    this.#datasets = datasets
  }

  /**
   * Resolves an exploration of a dataset; undefined when that was deleted meanwhile.
   * @param visibility the datasets that its paths may lead through, and whose labels are searched
   * @throws Failure QUERY_INVALID, naming the place of each problem
   */
  async find(
    dataset: Explorable,
    exploration: Exploration,
    visibility: Visibility,
  ): Promise<ItemQuery | undefined> {
    const clauses = await this.#clausesOf(dataset, exploration, visibility)
    const { where, order } = clauses
    if (where === undefined && order === undefined) return wholeDataset(dataset)
    // Of one revision definitions never change, and ids are never given twice.
    const key = JSON.stringify([dataset.id, dataset.revision, dataset.at, where, order])
    const cached = this.#compiled.find(key)
    if (cached !== undefined) {
      const hidden = await listHidden(this.#context.store.reads, cached.followed, visibility)
      if (hidden.size === 0) return cached.query
    }
    const compiled = await this.#compile(dataset, clauses, visibility)
    if (compiled !== undefined) this.#compiled.put(key, compiled)
    return compiled?.query
  }

  /**
   * Words are looked for by the condition that says so, in the labels of what references lead to as well.
   * @throws Failure QUERY_INVALID where a dataset has no field to look for words in
   */
  async #clausesOf(
    { name: own, schema }: Explorable,
    exploration: Exploration,
    visibility: Visibility,
  ): Promise<Clauses> {
    const { q = '', order } = exploration
    if (searchWords(q).length === 0) return { where: exploration.where, order }
    const references = searchedReferences(schema)
    const targets = new Map<string, { label: string; ids: number[] | undefined }>()
    const targetNames = new Set(references.map(({ target }) => target))
    const others = targetNames.difference(new Set([own]))
    const hidden = await listHidden(this.#context.store.reads, others, visibility)
    await Promise.all(
      [...targetNames.difference(hidden)].map(async (target) => {
        const label = await this.#labelOf(target)
        if (label === undefined) return
        targets.set(target, { label, ids: await this.#findByLabel(target, label, q) })
      }),
    )
    const hasFields = searchedFields(schema).length > 0
    if (!hasFields && targets.size === 0) {
      const reason =
        'no field of this dataset is text, an address, or a reference to what has a text'
      throw failAt('QUERY_INVALID', [{ path: ['q'], reason }])
    }
    const inLabels = references.flatMap(({ name, target }): Condition[] => {
      const { label, ids } = targets.get(target) ?? {}
      if (label === undefined) return []
      if (ids === undefined) return [searchedLabel(name, label, q)]
      if (ids.length > 0) return [{ [name]: { in: ids } }]
      // Without this condition the index of texts says where the words are.
      return hasFields ? [] : [searchedLabel(name, label, q)]
    })
    return { where: searchedWhere(exploration, schema, inLabels), order }
  }

  /**
   * Finds the items of a repository whose labels have words, where they are few and found soon: to compare a
   * reference with their ids needs no look at a label for each item that refers to one. Of a view they are not
   * looked for, as one with a limit may have let an item go that is still referred to.
   * @returns their ids, or undefined
   */
  async #findByLabel(target: string, label: string, q: string): Promise<number[] | undefined> {
    const where = searchedWhere({ q }, [{ name: label, type: 'string' }])
    const dataset = await this.#datasets.find(target)
    if (where === undefined || dataset === undefined || dataset.id !== dataset.repoId) return
    const known = await this.#labels.find(dataset, label, searchWords(q))
    if (known !== undefined) return known.length < limits.searchedIds ? known : undefined
    const query = await this.find(dataset, { where }, 'all')
    if (query === undefined) return
    const first = { page: 0, pageSize: limits.searchedIds, cut: 1 }
    const { value: items, progress } = await query.page(first, { partial: true })
    if (progress !== undefined || items.length === limits.searchedIds) return
    return items.map(({ id }) => id)
  }

  async #labelOf(name: string): Promise<string | undefined> {
    const dataset = await findDataset(this.#context.store.reads, name)
    return dataset && labelField(labelSource(dataset))
  }

  async #compile(
    dataset: Explorable,
    clauses: Clauses,
    visibility: Visibility,
  ): Promise<Compiled | undefined> {
    const { reads } = this.#context.store
    const { view, followed } = await checkExploration(reads, dataset.name, {
      ...clauses,
      visibility,
    })
    const definitions = await loadDefinitions(reads, view.dependsOn)
    // The name may have gone to another dataset meanwhile.
    if (definitions?.get(dataset.name).id !== dataset.id) return undefined
    return { query: this.#open(dataset, view, definitions), followed }
  }

  #open(dataset: Explorable, view: CheckedView, definitions: Definitions): ItemQuery {
    const { id, revision, orderRevision, name, at, schema } = dataset
    const { where, order } = view.description
    const owner = (clauses: object): ListingOwner => {
      const keyed = { ...clauses, ...(orderRevision > 0 && { orderRevision }) }
      return { datasetId: id, exploration: hash('sha256', JSON.stringify(keyed)), orderRevision }
    }
    const filterOwner = owner({ where })
    // A sort key is written otherwise where a value may be missing.
    const optional = view.order.flatMap(({ path }, index) => (path.optional ? [index] : []))
    const orderOwner = owner({ where, order, ...(optional.length > 0 && { optional }) })
    const of = { baseName: name, definitions }
    const filtered = derivedSequence(
      sequenceOf(name, definitions),
      { where: view.where, order: [] },
      { ...of, owner: filterOwner },
    )
    const whole = derivedSequence(
      filtered,
      { where: [], order: view.order },
      { ...of, owner: orderOwner },
    )
    // States share what was found of all items, and of an order they have a listing beside it.
    const [filteredThen, wholeThen] = [stateSequence(filtered, at), stateSequence(whole, at)]
    const read = [
      ...[where && filterOwner, order && orderOwner].filter((each) => each !== undefined),
      ...(at === undefined ? [] : [filteredThen, wholeThen].flatMap(unkeptOwners)),
    ]
    const show = (only?: string) => shownByView(view, definitions, only)
    const isSearch = filtered.listing !== undefined && neededGrams(filtered.listing) !== undefined
    if (isSearch) this.#indexing.begin(filtered.repoId)
    const touch = () => {
      if (this.#touches.touch(read) && isSearch) this.#indexing.begin(filtered.repoId)
    }
    const { listing } = filteredThen
    const first =
      filteredThen.kind === 'plain' &&
      listing !== undefined &&
      ownerKey(listing.owner) === ownerKey(filterOwner)
        ? new FirstItems(this.#context, { sequence: filteredThen, listing, stored: listing }, show)
        : undefined
    // In one, as a scan filters what it sorts.
    const sorted = derivedSequence(
      sequenceOf(name, definitions),
      { where: view.where, order: view.order },
      { ...of, owner: orderOwner },
    )
    const firstSorted =
      filteredThen.kind === 'plain' && sorted.kind === 'ordered' && wholeThen.kind === 'ordered'
        ? new FirstItems(
            this.#context,
            { sequence: filteredThen, listing: sorted.listing, stored: wholeThen.listing },
            show,
          )
        : undefined
    const scan = order === undefined ? first : firstSorted
    const reader = this.#touches.readerOf(openReader(this.#context, wholeThen, show), read)
    const counted = openReader(this.#context, filteredThen, show)
    return {
      page: async (page, options) => {
        const scanned = await scan?.page(page, options)
        if (scanned !== undefined) return scanned
        touch()
        return reader.page(page, options)
      },
      count: async (options) => {
        if (where === undefined) return wholeDataset(dataset).count(options)
        const scanned = await first?.count(options)
        if (scanned !== undefined) return toItemCount(scanned)
        touch()
        return countUpTo(counted, limits.countMax, options)
      },
      neighbours: async (itemId, options) => {
        const beside = await scan?.neighbours(itemId, options)
        if (beside !== undefined) return beside
        touch()
        return reader.neighbours(itemId, options)
      },
      snapshot: (from, options) => {
        touch()
        return reader.snapshot(from, options)
      },
      summarized: () => {
        if (where === undefined) return wholeDataset(dataset).summarized()
        touch()
        return {
          owner: stateOwner(filterOwner, at),
          revision,
          schema,
          sequence: filteredThen,
          shown: show(),
        }
      },
    }
  }
}

/** All items of a dataset, in its order. */
function wholeDataset({ id, revision, at, items, schema, sequence, shown }: Explorable): ItemQuery {
  return {
    page: (page, options) => items.page(page, options),
    count: (options) => countUpTo(items, Infinity, options),
    neighbours: (itemId, options) => items.neighbours(itemId, options),
    snapshot: (from, options) => items.snapshot(from, options),
    summarized: () => {
      const owner = stateOwner({ datasetId: id, exploration: '' }, at)
      return { owner, revision, schema, sequence, shown }
    },
  }
}

function stateOwner(owner: SummaryOwner, at: number | undefined): SummaryOwner {
  return at === undefined ? owner : { ...owner, exploration: stateKey(owner.exploration, at) }
}

async function countUpTo(
  items: ItemReader,
  max: number,
  options?: ReadOptions,
): Promise<ReadResult<ItemCount>> {
  const count = await items.count(options, max)
  return count.value > max ? { value: { totalItems: max, exact: false } } : toItemCount(count)
}

function toItemCount({ value, progress }: ReadResult<number>): ReadResult<ItemCount> {
  if (progress === undefined) return { value: { totalItems: value } }
  return { value: { totalItems: value, exact: false }, progress }
}

/**
 * Checks an exploration of a dataset as the view on it that it would be.
 * @throws Failure QUERY_INVALID, naming the place of each problem
 */
async function checkExploration(
  db: Db,
  base: string,
  { where, order, visibility }: Clauses & { visibility: Visibility },
): Promise<{ view: CheckedView; followed: string[] }> {
  // A view has a name, and it is not that of its base.
  const name = base === 'explored' ? 'exploration' : 'explored'
  const written = {
    name,
    base,
    ...(where !== undefined && { where }),
    ...(order !== undefined && { order }),
  }
  const followed = new Set<string>()
  const checked = await withSchemas(
    (resolve) => checkView(written, resolve),
    async (needed) => {
      // Whoever asks may read what they explore.
      if (needed === base) return (await findDataset(db, needed))?.schema
      followed.add(needed)
      return (await findVisibleDataset(db, needed, visibility))?.schema
    },
  )
  return { view: expectChecked('QUERY_INVALID', checked), followed: [...followed] }
}
