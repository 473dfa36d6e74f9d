import type {
  CheckedView,
  DatasetState,
  DatasetSummary,
  Exploration,
  ViewPreview,
} from '@vitrine/contract'
import { loadDefinitions } from '../language/definitions.ts'
import { type Windows, checkListing } from '../listings/check-listing.ts'
import { type Budgets, type ReadOptions, CatchUp, usualBudgets } from '../listings/catch-up.ts'
import { type ListingContext, openListingContext } from '../listings/listing-context.ts'
import { type Sizes, usualSizes } from '../listings/sizes.ts'
import {
  type ExplorationBounds,
  dropIdleExplorations,
  usualExplorationBounds,
} from '../listings/sweep-explorations.ts'
import { Waits } from '../listings/waits.ts'
import { dropDerived } from '../store/drop-data.ts'
import type { Store } from '../store/store.ts'
import { isSupersededConsistent } from '../store/superseded.ts'
import type { Visibility } from '../store/visibility.ts'
import { type DatasetRead, type ReadableDataset, CompiledDatasets } from './compiled-datasets.ts'
import { Explorations } from './explorations.ts'
import { type StateDiff, diffStates } from './state-diff.ts'
import { Previews } from './previews.ts'
import type { ReadContext } from './read-context.ts'
import type { Page, ReadResult } from './read-result.ts'
import { SearchIndexing } from './search/search-indexing.ts'
import { checkSummary } from './summaries/check-summary.ts'
import { Summaries } from './summaries/summaries.ts'
import { Touches } from './touches.ts'

export type DatasetReaderOptions = {
  budgets?: Budgets
  sizes?: Sizes
  explorationBounds?: ExplorationBounds
  /** Reads that wait for views at once; others get what there is, or are refused. */
  waitingMax?: number
  /** Called with errors in the background. */
  onError: (error: unknown) => void
}

/** Reads datasets: the entrance of this room. It owns what is kept and what runs between reads, one of it in a process. */
export class DatasetReader {
  readonly explorations: Explorations
  readonly #context: ReadContext
  readonly #listingContext: ListingContext
  readonly #previews: Previews
  readonly #summaries: Summaries
  readonly #indexing: SearchIndexing
  readonly #compiled: CompiledDatasets

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
    const { indexes, superseded } = this.#listingContext
    this.#context = { store, catchUp, indexes, superseded, budgets }
    this.#previews = new Previews(this.#context, this.#listingContext)
    this.#indexing = new SearchIndexing(store, { onError })
    const touches = new Touches(store, { onError })
    this.#compiled = new CompiledDatasets(this.#context, touches)
    this.explorations = new Explorations(this.#context, {
      indexing: this.#indexing,
      touches,
      datasets: this.#compiled,
    })
    this.#summaries = new Summaries(this.#context, { waits, onError })
  }

  /** Gets ready for a search by whoever looks at something. */
  warmUp(): void {
    this.#context.store.warmUp?.()
  }

  /**
   * Returns the dataset of a name as of now, or as it was when its repository had `at` items.
   * @throws Failure STATE_NOT_FOUND where it has not had so many
   */
  find(name: string, at?: number): Promise<ReadableDataset | undefined> {
    return this.#compiled.find(name, at)
  }

  /**
   * Reads the dataset of a name as of now; undefined when there is none.
   * @throws Failure STATE_NOT_FOUND
   */
  read<T>(state: DatasetState, reading: DatasetRead<T>): Promise<T | undefined> {
    return this.#compiled.read(state, reading)
  }

  /**
   * Returns the items that only one of two states of a dataset has; undefined where there is none of this name.
   * @throws Failure STATE_NOT_FOUND, PAGE_TOO_LARGE, VIEW_NOT_READY
   */
  async diff(
    name: string,
    { from, to, ...page }: Page & { from: number; to: number },
    options?: ReadOptions,
  ): Promise<StateDiff | undefined> {
    for (;;) {
      const [before, after] = await Promise.all([this.find(name, from), this.find(name, to)])
      if (before === undefined || after === undefined) return undefined
      // The name may have gone to another dataset meanwhile.
      const isSame = before.id === after.id && before.revision === after.revision
      const diff =
        isSame && (await diffStates(this.#context.store, { before, after, page }, options))
      if (diff) return diff
    }
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

  /** Begins to index the values of a repository, where that is worth it. */
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
    { visibility, ...options }: ReadOptions & { visibility: Visibility },
  ): Promise<ReadResult<DatasetSummary> | undefined> {
    for (;;) {
      const dataset = await this.find(name, at)
      const query = dataset && (await this.explorations.find(dataset, exploration, visibility))
      if (query === undefined) return undefined
      const summary = await this.#summaries.read(query.summarized(), options)
      if (summary !== undefined) return summary
    }
  }

  /**
   * Compares what is kept of a dataset with what it is derived from: its listing or its search index, and its
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
    if (id === repoId) {
      yield* this.#indexing.check({ id, schema }, windows)
      const isConsistent = await isSupersededConsistent(this.#context.store, repoId)
      yield isConsistent
        ? undefined
        : 'the items that do not hold any more are not those that were replaced'
    }
    const query = await this.explorations.find(dataset, {}, 'all')
    if (query !== undefined) {
      yield* checkSummary(this.#context, query.summarized(), summarizedMax)
    }
  }

  /** Drops all that is derived of the items of a repository, to be made again when it is read. */
  async dropDerived(repoId: number): Promise<void> {
    const { store } = this.#context
    await store.write((transaction) => dropDerived(transaction, repoId), { derived: true })
    this.#context.superseded.forget()
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
}
