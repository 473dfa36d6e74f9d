import type { CheckedView, SchemaField, ViewPreview } from '@vitrine/contract'
import { sql } from 'kysely'
import { Failure } from '../failure.ts'
import { Kept } from '../runtime/lru-cache.ts'
import type { Prepared } from '../store/prepare.ts'
import type { Store } from '../store/store.ts'
import { usualBudgets, type Budgets, type ItemReader } from './answer.ts'
import { CatchUp } from './catch-up.ts'
import { loadDefinitions } from '../language/definitions.ts'
import { Explorations } from '../reading/explorations.ts'
import { openReader } from '../reading/open-reader.ts'
import { Previews } from '../reading/previews.ts'
import type { ReadContext } from './read-context.ts'
import { sequenceOf, type Listing } from '../language/sequence.ts'
import { shownFields, type Shown } from '../language/shown-fields.ts'
import { usualSizes, type Sizes } from '../listings/sizes.ts'
import {
  dropIdleExplorations,
  usualExplorationBounds,
  type ExplorationBounds,
} from '../listings/sweep-explorations.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** A repository or a view, ready to be read. */
export type ReadableDataset = {
  id: number
  name: string
  /** The repository whose items are shown. */
  repoId: number
  schema: readonly SchemaField[]
  /** What is read of one of its items. */
  shown: Shown
  items: ItemReader
  /** What is kept for it, where it is not read from its base as it stands. */
  listing: Listing | undefined
  /** Whether all items of the repository are in it. */
  isWhole: boolean
}

export type DatasetsOptions = {
  budgets?: Budgets
  sizes?: Sizes
  explorationBounds?: ExplorationBounds
  /** Reads that wait for views at once; others get what there is, or are refused. */
  waitingMax?: number
  /** Told of what goes wrong in the background. */
  onError: (error: unknown) => void
}

/** Compiled datasets that are kept, and names. */
const keptMax = 1000

/** What is read of a dataset whose name may mean another one by now. */
type Reading<T> = {
  read: (dataset: ReadableDataset) => Promise<T>
  /** Whether a read of that dataset says that it is still there, by finding something. */
  isTelling: (dataset: ReadableDataset) => boolean
  hasFound: (value: T) => boolean
}

/**
 * Finds datasets and compiles them. Definitions never change and ids are never given twice, so what is
 * compiled is kept by id; what a name means is certain until something is written.
 */
export class Datasets {
  readonly explorations: Explorations
  readonly #context: ReadContext
  readonly #workshop: Workshop
  readonly #previews: Previews
  readonly #byId = new Kept<number, ReadableDataset>(keptMax)
  /** What names meant at a version of the store. */
  readonly #byName = new Kept<string, { dataset: ReadableDataset; version: number }>(keptMax)
  readonly #selectId: Prepared<{ name: string }, [id: number]>

  constructor(
    store: Store,
    {
      budgets = usualBudgets,
      sizes = usualSizes,
      explorationBounds = usualExplorationBounds,
      waitingMax = Infinity,
      onError,
    }: DatasetsOptions,
  ) {
    this.#workshop = openWorkshop(store, { sizes, explorationBounds })
    const catchUp = new CatchUp(this.#workshop, { budgets, waitingMax, onError })
    this.#context = { store, catchUp, indexes: this.#workshop.indexes, budgets }
    this.#previews = new Previews(this.#context, this.#workshop)
    this.explorations = new Explorations(this.#context, { onError })
    this.#selectId = store.prepare(
      (slot) => sql`select id from datasets where name = ${slot('name')}`,
    )
  }

  /** The dataset of a name as of now. */
  async find(name: string): Promise<ReadableDataset | undefined> {
    // Asked before reading, as something may be written meanwhile.
    const version = this.#context.store.version()
    const known = this.#byName.find(name)
    if (known?.version === version) return known.dataset
    const [row] = await this.#selectId({ name })
    const dataset = row && (await this.#findById(row[0], name))
    if (dataset !== undefined) this.#byName.put(name, { dataset, version })
    return dataset
  }

  /**
   * Reads the dataset of a name as of now; undefined when there is none. To ask what the name means takes
   * as long as to read, so what it meant before is read first: a repository that is gone has no items.
   */
  async read<T>(name: string, { read, isTelling, hasFound }: Reading<T>): Promise<T | undefined> {
    const before = this.#byName.find(name)
    if (before !== undefined && before.version !== this.#context.store.version()) {
      const { dataset } = before
      if (dataset.id === dataset.repoId && isTelling(dataset)) {
        const value = await ifThere(read(dataset))
        if (value !== undefined && hasFound(value)) return value
      }
    }
    const dataset = await this.find(name)
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

  /** What a view would be; undefined when a dataset that it needs was deleted meanwhile. */
  async preview(view: CheckedView): Promise<ViewPreview | undefined> {
    const definitions = await loadDefinitions(this.#context.store.reads, view.dependsOn)
    return definitions && this.#previews.evaluate({ view, definitions })
  }

  /** Lets go of explorations that nobody has asked for in so many milliseconds. */
  dropIdleExplorations(idleMs: number): Promise<void> {
    return dropIdleExplorations(this.#workshop, idleMs)
  }

  /** Tells when something that was kept is not needed any more, and is to be removed. */
  onDropped(tell: () => void): void {
    this.#workshop.onDropped = tell
  }

  /** Has no read wait any more for a view, as when the server is to stop. */
  endWaits(): void {
    this.#context.catchUp.endWaits()
  }

  stop(): Promise<void> {
    return this.#context.catchUp.stop()
  }

  async #findById(id: number, name: string): Promise<ReadableDataset | undefined> {
    const found = this.#byId.find(id) ?? (await this.#compile(id, name))
    if (found !== undefined) this.#byId.put(id, found)
    return found
  }

  /** Undefined when the dataset was deleted meanwhile. */
  async #compile(id: number, name: string): Promise<ReadableDataset | undefined> {
    const definitions = await loadDefinitions(this.#context.store.reads, [name])
    // The name may have gone to another dataset meanwhile.
    if (definitions?.get(name).id !== id) return undefined
    const sequence = sequenceOf(name, definitions)
    const show = (only?: string): Shown => shownFields(name, definitions, only)
    const items = openReader(this.#context, sequence, show)
    const { repoId, listing } = sequence
    const isWhole =
      sequence.kind === 'plain' && listing === undefined && sequence.limit === Infinity
    const { schema } = definitions.get(name)
    return { id, name, repoId, schema, shown: show(), items, listing, isWhole }
  }
}

/** What is read where that works: the table of a repository that is gone may be gone too. */
async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure) throw error
    return undefined
  }
}
