import type {
  CheckedView,
  DatasetState,
  DatasetSummary,
  Exploration,
  SchemaField,
  ViewPreview,
} from '@vitrine/contract'
import { sql } from 'kysely'
import { fail, Failure } from '../failure.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { dropDerived } from '../store/drop-data.ts'
import { readHead } from '../store/listings.ts'
import type { Prepared } from '../store/prepare.ts'
import type { Store } from '../store/store.ts'
import { coverField, loadDefinitions } from '../language/definitions.ts'
import { type Windows, checkListing } from '../listings/check-listing.ts'
import { type Budgets, type ReadOptions, CatchUp, usualBudgets } from '../listings/catch-up.ts'
import { Waits } from '../listings/waits.ts'
import type { ItemReader, ReadResult } from './read-result.ts'
import { Explorations } from './explorations.ts'
import { openReader } from './open-reader.ts'
import { Previews } from './previews.ts'
import { checkSummary } from './summaries/check-summary.ts'
import type { ReadContext } from './read-context.ts'
import { SearchIndexing } from './search/search-indexing.ts'
import { Summaries } from './summaries/summaries.ts'
import { Touches, unkeptOwners } from './touches.ts'
import { sequenceOf } from '../language/sequence-of.ts'
import type { Listing, Sequence } from '../language/sequence.ts'
import { stateSequence } from '../language/state-sequence.ts'
import { type Shown, shownFields } from '../language/shown-fields.ts'
import { type Sizes, usualSizes } from '../listings/sizes.ts'
import {
  type ExplorationBounds,
  dropIdleExplorations,
  usualExplorationBounds,
} from '../listings/sweep-explorations.ts'
import { type ListingContext, openListingContext } from '../listings/listing-context.ts'

export type { Windows } from '../listings/check-listing.ts'

/** A repository or a view, or a state of one, ready to be read. */
export type ReadableDataset = {
  id: number
  /** Number of items of the repository in a state. */
  at: number | undefined
  /** Goes up when a repository that it depends on is extended. */
  revision: number
  /** Goes up when its listing is put in order by other keys. */
  orderRevision: number
  name: string
  /** The repository whose items are shown. */
  repoId: number
  schema: readonly SchemaField[]
  /** Sequence of its items. */
  sequence: Sequence
  /** The columns of one of its items. */
  shown: Shown
  items: ItemReader
  /** Items of a repository, none once it has another revision. */
  itemsOfRevision: ItemReader
  /** Its field with the picture of an item, and what reads that field alone. */
  covers: { fieldName: string; items: ItemReader } | undefined
  /** Its listing, where it is not read from its base as it stands. */
  listing: Listing | undefined
  /** Whether all items of the repository are in it. */
  isWhole: boolean
}

export type DatasetReaderOptions = {
  budgets?: Budgets
  sizes?: Sizes
  explorationBounds?: ExplorationBounds
  /** Reads that wait for views at once; others get what there is, or are refused. */
  waitingMax?: number
  /** Called with errors in the background. */
  onError: (error: unknown) => void
}

/** Compiled datasets that are kept, and names. */
const keptMax = 1000

/** A read of a dataset whose name may mean another one by now. */
type Reading<T> = {
  read: (dataset: ReadableDataset) => Promise<T>
  /** Whether a read of that dataset reaches the store, so that it can prove that the dataset exists. */
  readsTheStore: (dataset: ReadableDataset) => boolean
  /** Whether a value proves it: a repository that was deleted has no items. */
  provesExistence: (value: T) => boolean
}

/**
 * Finds datasets and compiles them. Of one revision definitions never change, and ids are never given
 * twice, so what is compiled is kept by both; what a name means is certain until something is written.
 */
export class DatasetReader {
  readonly explorations: Explorations
  readonly #context: ReadContext
  readonly #listingContext: ListingContext
  readonly #previews: Previews
  readonly #summaries: Summaries
  readonly #indexing: SearchIndexing
  readonly #touches: Touches
  readonly #byRevision = new LruCache<string, ReadableDataset>(keptMax)
  /** The datasets by name, as of one version of the store. */
  readonly #byName = new LruCache<string, { dataset: ReadableDataset; version: number }>(keptMax)
  readonly #selectId: Prepared<{ name: string }, [id: number, revision: number]>

  constructor(
    store: Store,
    {
      budgets = usualBudgets,
      sizes = usualSizes,
      explorationBounds = usualExplorationBounds,
      waitingMax = Infinity,
      onError,
    }: DatasetReaderOptions,
  ) {
    this.#listingContext = openListingContext(store, { sizes, explorationBounds })
    const waits = new Waits(waitingMax)
    const catchUp = new CatchUp(this.#listingContext, { budgets, waits, onError })
    this.#context = { store, catchUp, indexes: this.#listingContext.indexes, budgets }
    this.#previews = new Previews(this.#context, this.#listingContext)
    this.#indexing = new SearchIndexing(store, { onError })
    this.#touches = new Touches(store, { onError })
    this.explorations = new Explorations(this.#context, {
      indexing: this.#indexing,
      touches: this.#touches,
      find: (name) => this.find(name),
    })
    this.#summaries = new Summaries(this.#context, { waits, onError })
    this.#selectId = store.prepare(
      (slot) => sql`select id, revision from datasets where name = ${slot('name')}`,
    )
  }

  /**
   * The dataset of a name as of now, or as it was when its repository had `at` items.
   * @throws Failure STATE_NOT_FOUND where it has not had so many
   */
  async find(name: string, at?: number): Promise<ReadableDataset | undefined> {
    const dataset = await this.#find(name)
    return dataset === undefined || at === undefined ? dataset : this.#findState(dataset, at)
  }

  async #find(name: string): Promise<ReadableDataset | undefined> {
    // Asked before reading, as something may be written meanwhile.
    const version = this.#context.store.version()
    const cached = this.#byName.find(name)
    if (cached?.version === version) return cached.dataset
    const [row] = await this.#selectId({ name })
    const dataset = row && (await this.#findRevision(row, name))
    if (dataset !== undefined) this.#byName.put(name, { dataset, version })
    return dataset
  }

  /**
   * Reads the dataset of a name as of now; undefined when there is none. Looking a name up takes as long
   * as reading, so the dataset that had the name before is read first.
   * @throws Failure STATE_NOT_FOUND
   */
  async read<T>(
    { name, at }: DatasetState,
    { read, readsTheStore, provesExistence }: Reading<T>,
  ): Promise<T | undefined> {
    const before = this.#byName.find(name)
    if (
      at === undefined &&
      before !== undefined &&
      before.version !== this.#context.store.version()
    ) {
      const { dataset } = before
      if (dataset.id === dataset.repoId && readsTheStore(dataset)) {
        const value = await ifThere(read({ ...dataset, items: dataset.itemsOfRevision }))
        if (value !== undefined && provesExistence(value)) return value
      }
    }
    const dataset = await this.find(name, at)
    return dataset && read(dataset)
  }

  /** Begins to find out which items belong to a view, so that its first reader need not wait. */
  async begin(name: string): Promise<void> {
    const dataset = await this.find(name)
    if (dataset?.listing !== undefined) this.#context.catchUp.begin(dataset.listing)
  }

  /**
   * Finds out which of the items that are there now belong to a dataset.
   * @throws Failure VIEW_NOT_READY when that takes too long
   */
  async catchUp({ listing }: ReadableDataset): Promise<void> {
    if (listing !== undefined) await this.#context.catchUp.reach(listing)
  }

  /** Begins to index the texts of a repository, where that is worth it. */
  beginIndex(repoId: number): void {
    this.#indexing.begin(repoId)
  }

  /** Previews a view; undefined when a dataset that it needs was deleted meanwhile. */
  async preview(view: CheckedView): Promise<ViewPreview | undefined> {
    const definitions = await loadDefinitions(this.#context.store.reads, view.dependsOn)
    return definitions && this.#previews.evaluate({ view, definitions })
  }

  /**
   * Says what the values of a dataset are, or of what is asked of it; undefined where there is none.
   * @throws Failure QUERY_INVALID, STATE_NOT_FOUND, VIEW_NOT_READY
   */
  async summarize(
    { name, at }: DatasetState,
    exploration: Exploration,
    options: ReadOptions,
  ): Promise<ReadResult<DatasetSummary> | undefined> {
    for (;;) {
      const dataset = await this.find(name, at)
      const query = dataset && (await this.explorations.find(dataset, exploration))
      if (query === undefined) return undefined
      const summary = await this.#summaries.read(query.summarized(), options)
      if (summary !== undefined) return summary
    }
  }

  /**
   * Compares what is kept of a dataset with what it is derived from: its listing or its index of texts, and its
   * summary of at most `summarizedMax` items.
   * @yields a sentence for a fault, and undefined after each window without one
   */
  async *check(
    dataset: ReadableDataset,
    { windows, summarizedMax }: { windows: Windows; summarizedMax: number },
  ): AsyncGenerator<string | undefined> {
    const { id, repoId, listing, schema } = dataset
    // A limit of a view is kept by the listing of its base.
    if (listing?.owner.datasetId === id) {
      yield* checkListing(this.#context.store, listing, windows)
    }
    if (id === repoId) yield* this.#indexing.check({ id, schema }, windows)
    const query = await this.explorations.find(dataset, {})
    if (query !== undefined) {
      yield* checkSummary(this.#context, query.summarized(), summarizedMax)
    }
  }

  /** Drops all that is derived of the items of a repository, to be made again when it is read. */
  async dropDerived(repoId: number): Promise<void> {
    const { store } = this.#context
    await store.write((transaction) => dropDerived(transaction, repoId), { derived: true })
    this.tellDropped()
  }

  /** Drops explorations that were not used for so many milliseconds. */
  dropIdleExplorations(idleMs: number): Promise<void> {
    return dropIdleExplorations(this.#listingContext, idleMs)
  }

  /** Registers a callback for dropped listings, whose rows have to be removed. */
  onDropped(tell: () => void): void {
    this.#listingContext.onDropped = tell
  }

  /** Has what is not needed any more removed. */
  tellDropped(): void {
    this.#listingContext.onDropped()
  }

  /** Has no read wait any more for a view, as when the server is to stop. */
  endWaits(): void {
    this.#context.catchUp.endWaits()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#context.catchUp.stop(), this.#summaries.stop(), this.#indexing.stop()])
  }

  async #findRevision(
    [id, revision]: readonly [number, number],
    name: string,
  ): Promise<ReadableDataset | undefined> {
    const compiled = this.#byRevision.find(`${id} ${revision}`) ?? (await this.#compile(id, name))
    // It may be of a later revision than was asked for.
    if (compiled !== undefined) this.#byRevision.put(`${id} ${compiled.revision}`, compiled)
    return compiled
  }

  async #findState(
    { id, revision, name, repoId }: ReadableDataset,
    at: number,
  ): Promise<ReadableDataset | undefined> {
    const cached = this.#byRevision.find(`${id} ${revision} ${at}`)
    if (cached !== undefined) return cached
    // Once it has had so many, it always will have had them.
    const totalItems = await readHead(this.#context.store.reads, repoId)
    if (at > totalItems) throw fail('STATE_NOT_FOUND', { totalItems })
    const compiled = await this.#compile(id, name, at)
    if (compiled !== undefined) this.#byRevision.put(`${id} ${compiled.revision} ${at}`, compiled)
    return compiled
  }

  /** Undefined when the dataset was deleted meanwhile. */
  async #compile(id: number, name: string, at?: number): Promise<ReadableDataset | undefined> {
    const definitions = await loadDefinitions(this.#context.store.reads, [name])
    // The name may have gone to another dataset meanwhile.
    const definition = definitions?.get(name)
    if (definitions === undefined || definition?.id !== id) return undefined
    const sequence = stateSequence(sequenceOf(name, definitions), at)
    const unkept = unkeptOwners(sequence)
    const show = (only?: string): Shown => shownFields(name, definitions, only)
    const open = (shown: typeof show) =>
      this.#touches.readerOf(openReader(this.#context, sequence, shown), unkept)
    const items = open(show)
    const { revision, schema } = definition
    const cover = coverField(name, definitions)
    const isRepo = definition.kind === 'repo'
    const { repoId, listing } = sequence
    const isWhole =
      sequence.kind === 'plain' &&
      listing === undefined &&
      sequence.limit === Infinity &&
      sequence.before === Infinity
    return {
      id,
      at,
      revision,
      orderRevision: isRepo ? 0 : definition.orderRevision,
      name,
      repoId,
      schema,
      sequence,
      shown: show(),
      items,
      itemsOfRevision: isRepo ? openReader(this.#context, sequence, show, revision) : items,
      covers:
        cover === undefined ? undefined : { fieldName: cover, items: open(() => show(cover)) },
      listing,
      isWhole,
    }
  }
}

/** Reads, or returns undefined where the table of a deleted repository is gone. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure) throw error
    return undefined
  }
}
