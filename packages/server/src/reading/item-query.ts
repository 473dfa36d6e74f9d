import { hash } from 'node:crypto'
import { limits, type CheckedView, type Item, type ItemCount } from '@vitrine/contract'
import type { ListingOwner } from '../store/listings.ts'
import type { ReadResult, ItemReader, Page } from './read-result.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import type { Definitions } from '../language/definitions.ts'
import type { ReadableDataset } from './compiled-datasets.ts'
import { FirstItems } from './first-items.ts'
import { openReader } from './open-reader.ts'
import { neededGrams } from '../search-index/needed-grams.ts'
import type { SearchIndexing } from './search/search-indexing.ts'
import type { ReadContext } from './read-context.ts'
import type { Summarized } from './summaries/summaries.ts'
import { type Sequence, ownerKey } from '../language/sequence.ts'
import { derivedSequence } from '../language/derive-sequence.ts'
import { sequenceOf } from '../language/sequence-of.ts'
import { stateKey, stateSequence } from '../language/state-sequence.ts'
import { shownByView } from '../language/shown-fields.ts'
import type { SummaryOwner } from '../store/summaries.ts'
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

export type Explorable = Pick<
  ReadableDataset,
  'id' | 'revision' | 'orderRevision' | 'name' | 'at' | 'schema' | 'items' | 'sequence' | 'shown'
>

/** Dependencies of reading an exploration. */
export type QueryContext = { context: ReadContext; indexing: SearchIndexing; touches: Touches }

/** Opens an exploration of a dataset, as the view on it that it would be. */
export function openItemQuery(
  { context, indexing, touches }: QueryContext,
  dataset: Explorable,
  {
    view,
    definitions,
    isCurrent,
  }: { view: CheckedView; definitions: Definitions; isCurrent: boolean },
): ItemQuery {
  const { id, revision, orderRevision, name, at, schema } = dataset
  const { where, order } = view.description
  const owner = (clauses: object): ListingOwner => {
    const keyed = { ...clauses, ...(orderRevision > 0 && { orderRevision }) }
    return { datasetId: id, exploration: hash('sha256', JSON.stringify(keyed)), orderRevision }
  }
  const filterOwner = owner({ where })
  const summaryOwner = isCurrent ? owner({ where, current: true }) : filterOwner
  const isUnfiltered = where === undefined && !isCurrent
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
  const stateOf = (sequence: Sequence) => withCurrent(stateSequence(sequence, at), isCurrent)
  const [filteredThen, wholeThen] = [stateOf(filtered), stateOf(whole)]
  const read = [
    ...[where && filterOwner, order && orderOwner].filter((each) => each !== undefined),
    ...(at === undefined ? [] : [filteredThen, wholeThen].flatMap(unkeptOwners)),
  ]
  const show = (only?: string) => shownByView(view, definitions, only)
  const isSearch = filtered.listing !== undefined && neededGrams(filtered.listing) !== undefined
  if (isSearch) indexing.begin(filtered.repoId)
  const touch = () => {
    if (touches.touch(read) && isSearch) indexing.begin(filtered.repoId)
  }
  const { listing } = filteredThen
  const first =
    filteredThen.kind === 'plain' &&
    listing !== undefined &&
    ownerKey(listing.owner) === ownerKey(filterOwner)
      ? new FirstItems(context, { sequence: filteredThen, listing, stored: listing }, show)
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
          context,
          { sequence: filteredThen, listing: sorted.listing, stored: wholeThen.listing },
          show,
        )
      : undefined
  const scan = order === undefined ? first : firstSorted
  const reader = touches.readerOf(openReader(context, wholeThen, show), read)
  const counted = openReader(context, filteredThen, show)
  return {
    page: async (page, options) => {
      const scanned = await scan?.page(page, options)
      if (scanned !== undefined) return scanned
      touch()
      return reader.page(page, options)
    },
    count: async (options) => {
      if (isUnfiltered) return wholeDataset(dataset).count(options)
      const scanned = await first?.count(options)
      if (scanned !== undefined) return toItemCount(scanned)
      touch()
      return countUpTo(counted, where === undefined ? Infinity : limits.countMax, options)
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
      if (isUnfiltered) return wholeDataset(dataset).summarized()
      touch()
      return {
        owner: stateOwner(summaryOwner, at),
        revision,
        schema,
        sequence: filteredThen,
        shown: show(),
      }
    },
  }
}

function withCurrent(sequence: Sequence, isCurrent: boolean): Sequence {
  return { ...sequence, isCurrent: sequence.isCurrent || isCurrent }
}

/** All items of a dataset, in its order. */
export function wholeDataset({
  id,
  revision,
  at,
  items,
  schema,
  sequence,
  shown,
}: Explorable): ItemQuery {
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
