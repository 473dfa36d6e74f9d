import {
  limits,
  type CheckedView,
  type Condition,
  type Exploration,
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
import { loadDefinitions } from '../language/definitions.ts'
import type { CompiledDatasets } from './compiled-datasets.ts'
import {
  type Explorable,
  type ItemQuery,
  type QueryContext,
  openItemQuery,
  wholeDataset,
} from './item-query.ts'
import { LabelCache } from './search/label-cache.ts'
import type { SearchIndexing } from './search/search-indexing.ts'
import type { ReadContext } from './read-context.ts'
import { expectChecked, failAt } from '../failure.ts'
import { findDataset, findVisibleDataset, labelSource } from '../store/datasets.ts'
import type { Db } from '../store/store.ts'
import { listHidden, type Visibility } from '../store/visibility.ts'
import type { Touches } from './touches.ts'

/** A compiled exploration, and the datasets that its paths lead to. */
type Compiled = { query: ItemQuery; followed: readonly string[] }

/** Compiled explorations that are kept. */
const keptMax = 200

type ExplorationsOptions = {
  indexing: SearchIndexing
  touches: Touches
  /** Datasets that references lead to. */
  datasets: CompiledDatasets
}

/** Clauses of an exploration that a view has as well. */
type Clauses = Pick<Exploration, 'where' | 'order'> & { current?: boolean | undefined }

/**
 * Explorations are views without a name: `where` is one on the dataset, and `order` is one on what
 * passes, so that the count and another order share what was found. They keep listings as views do, but
 * only while somebody asks.
 */
export class Explorations {
  readonly #opening: QueryContext
  readonly #reads: Db
  readonly #datasets: CompiledDatasets
  readonly #compiled = new LruCache<string, Compiled>(keptMax)
  readonly #labels: LabelCache

  constructor(context: ReadContext, { indexing, touches, datasets }: ExplorationsOptions) {
    this.#opening = { context, indexing, touches }
    this.#reads = context.store.reads
    this.#labels = new LabelCache(this.#reads)
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
    const { where, order, current } = clauses
    const isWhole = where === undefined && order === undefined && current !== true
    if (isWhole) return wholeDataset(dataset)
    // Of one revision definitions never change, and ids are never given twice.
    const { id, revision, at } = dataset
    const key = JSON.stringify([id, revision, at, { where, order, current }])
    const cached = this.#compiled.find(key)
    if (cached !== undefined) {
      const hidden = await listHidden(this.#reads, cached.followed, visibility)
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
    const { q = '', order, current } = exploration
    if (searchWords(q).length === 0) return { where: exploration.where, order, current }
    const references = searchedReferences(schema)
    const targets = new Map<string, { label: string; ids: number[] | undefined }>()
    const targetNames = new Set(references.map(({ target }) => target))
    const others = targetNames.difference(new Set([own]))
    const hidden = await listHidden(this.#reads, others, visibility)
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
      // Without this condition the search index says where the words are.
      return hasFields ? [] : [searchedLabel(name, label, q)]
    })
    return { where: searchedWhere(exploration, schema, inLabels), order, current }
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
    const dataset = await findDataset(this.#reads, name)
    return dataset && labelField(labelSource(dataset))
  }

  async #compile(
    dataset: Explorable,
    clauses: Clauses,
    visibility: Visibility,
  ): Promise<Compiled | undefined> {
    const { current: isCurrent = false, ...asked } = clauses
    const { view, followed } = await checkExploration(this.#reads, dataset.name, {
      ...asked,
      visibility,
    })
    const definitions = await loadDefinitions(this.#reads, view.dependsOn)
    // The name may have gone to another dataset meanwhile.
    if (definitions?.get(dataset.name).id !== dataset.id) return undefined
    return {
      query: openItemQuery(this.#opening, dataset, { view, definitions, isCurrent }),
      followed,
    }
  }
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
