import type { DatasetState, SchemaField } from '@vitrine/contract'
import { fail, Failure } from '../failure.ts'
import { coverField, loadDefinitions } from '../language/definitions.ts'
import { sequenceOf } from '../language/sequence-of.ts'
import type { Listing, Sequence } from '../language/sequence.ts'
import { type Shown, shownFields } from '../language/shown-fields.ts'
import { stateSequence } from '../language/state-sequence.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { type DatasetVersion, datasetVersionFinder, isSameVersion } from '../store/datasets.ts'
import { readHead } from '../store/listings.ts'
import { openReader } from './open-reader.ts'
import type { ReadContext } from './read-context.ts'
import type { ItemReader } from './read-result.ts'
import { type Touches, unkeptOwners } from './touches.ts'

/** A repository or a view, or a state of one, ready to be read. */
export type ReadableDataset = {
  id: number
  /** Number of items of the repository in a state. */
  at: number | undefined
  /** Goes up when a repository that it depends on is extended. */
  revision: number
  /** Goes up when a role on it is given or taken back. */
  accessRevision: number
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
  /** Reads those as well that it leaves out as they do not hold any more. */
  allVersions: ItemReader
  /** Items of a repository, none once it is of another version. */
  itemsOfVersion: ItemReader
  /** Its field with the picture of an item, and what reads that field alone. */
  covers: { fieldName: string; items: ItemReader } | undefined
  /** Its listing, where it is not read from its base as it stands. */
  listing: Listing | undefined
  /** Whether all items of the repository are in it. */
  isWhole: boolean
}

/** Compiled datasets that are kept, and names. */
const keptMax = 1000

/** Permission of somebody to read the dataset of a name. */
export type Permission = {
  /** Version of it that they may read, by the roles that are cached. */
  version: DatasetVersion
  /**
   * Checks whether they may.
   * @returns undefined where there is none that they may read
   */
  check: () => Promise<DatasetVersion | undefined>
}

/** A read of a dataset whose name may mean another one by now. */
export type DatasetRead<T> = {
  /** Permission to read it, where that was not checked before. */
  permission: Permission | undefined
  read: (dataset: ReadableDataset) => Promise<T>
  /** Whether a read of that dataset reaches the store, so that it can prove that the dataset exists. */
  readsTheStore: (dataset: ReadableDataset) => boolean
  /** Whether a value proves it: a repository that was deleted has no items. */
  provesExistence: (value: T) => boolean
}

/**
 * Finds datasets and compiles them. Of one version definitions never change, and ids are never given
 * twice, so what is compiled is kept by both; what a name means is certain until something is written.
 */
export class CompiledDatasets {
  readonly #context: ReadContext
  readonly #touches: Touches
  readonly #byVersion = new LruCache<string, ReadableDataset>(keptMax)
  /** The datasets by name, as of one version of the store. */
  readonly #byName = new LruCache<string, { dataset: ReadableDataset; version: number }>(keptMax)
  readonly #findCurrent: ReturnType<typeof datasetVersionFinder>

  constructor(context: ReadContext, touches: Touches) {
    this.#context = context
    this.#touches = touches
    this.#findCurrent = datasetVersionFinder(context.store)
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
    const current = await this.#findCurrent(name)
    const dataset = current && (await this.#findVersion(current, name))
    if (dataset !== undefined) this.#byName.put(name, { dataset, version })
    return dataset
  }

  /**
   * Reads the dataset of a name as of now; undefined when there is none that may be read. To look a name up, or roles,
   * takes as long as reading, so the dataset that had the name before is read first: nothing of it is found where it is
   * of another version.
   * @throws Failure FORBIDDEN, STATE_NOT_FOUND
   */
  async read<T>(
    { name, at }: DatasetState,
    { permission, read, readsTheStore, provesExistence }: DatasetRead<T>,
  ): Promise<T | undefined> {
    const before = this.#byName.find(name)
    if (before !== undefined && before.version !== this.#context.store.version()) {
      const { dataset } = before
      const mayRead = permission === undefined || isSameVersion(permission.version, dataset)
      const known = at === undefined ? dataset : this.#byVersion.find(versionKey(dataset, at))
      const isRepo = known !== undefined && known.id === known.repoId
      if (mayRead && isRepo && readsTheStore(known)) {
        const value = await ifThere(read({ ...known, items: known.itemsOfVersion }))
        if (value !== undefined && provesExistence(value)) return value
      }
    }
    const dataset =
      permission === undefined
        ? await this.#find(name)
        : await this.#findPermitted(name, permission)
    const state = dataset && at !== undefined ? await this.#findState(dataset, at) : dataset
    return state && read(state)
  }

  async #findPermitted(name: string, permission: Permission): Promise<ReadableDataset | undefined> {
    // Read before what may be written meanwhile.
    const storeVersion = this.#context.store.version()
    const version = await permission.check()
    if (version === undefined) return undefined
    const dataset = await this.#findVersion(version, name)
    if (dataset !== undefined) this.#byName.put(name, { dataset, version: storeVersion })
    return dataset
  }

  async #findVersion(version: DatasetVersion, name: string): Promise<ReadableDataset | undefined> {
    const compiled =
      this.#byVersion.find(versionKey(version)) ?? (await this.#compile(version.id, name))
    // It may be of a later version than was asked for.
    if (compiled !== undefined) this.#byVersion.put(versionKey(compiled), compiled)
    return compiled
  }

  async #findState(
    { id, revision, accessRevision, name, repoId }: ReadableDataset,
    at: number,
  ): Promise<ReadableDataset | undefined> {
    const cached = this.#byVersion.find(versionKey({ id, revision, accessRevision }, at))
    if (cached !== undefined) return cached
    // Once it has had so many, it always will have had them.
    const totalItems = await readHead(this.#context.store.reads, repoId)
    if (at > totalItems) throw fail('STATE_NOT_FOUND', { totalItems })
    const compiled = await this.#compile(id, name, at)
    if (compiled !== undefined) this.#byVersion.put(versionKey(compiled, at), compiled)
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
    const open = (shown: typeof show, read = sequence) =>
      this.#touches.readerOf(openReader(this.#context, read, shown), unkept)
    const items = open(show)
    const allVersions = sequence.isCurrent ? open(show, { ...sequence, isCurrent: false }) : items
    const { revision, accessRevision, schema } = definition
    const cover = coverField(name, definitions)
    const isRepo = definition.kind === 'repo'
    const { repoId, listing } = sequence
    const isWhole =
      sequence.kind === 'plain' &&
      !sequence.isCurrent &&
      listing === undefined &&
      sequence.limit === Infinity &&
      sequence.before === Infinity
    return {
      id,
      at,
      revision,
      accessRevision,
      orderRevision: isRepo ? 0 : definition.orderRevision,
      name,
      repoId,
      schema,
      sequence,
      shown: show(),
      items,
      allVersions,
      itemsOfVersion: isRepo
        ? openReader(this.#context, sequence, show, { id, revision, accessRevision })
        : items,
      covers:
        cover === undefined ? undefined : { fieldName: cover, items: open(() => show(cover)) },
      listing,
      isWhole,
    }
  }
}

function versionKey({ id, revision, accessRevision }: DatasetVersion, at?: number): string {
  return `${id} ${revision} ${accessRevision} ${at}`
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
