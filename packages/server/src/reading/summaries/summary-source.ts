import type { ScanProgress } from '@vitrine/contract'
import type { OrderedSequence, PlainSequence, Sequence } from '../../language/sequence.ts'
import { withoutOrder } from '../../language/sequence-of.ts'
import type { Shown } from '../../language/shown-fields.ts'
import type { ReadOptions } from '../../listings/catch-up.ts'
import {
  type ListingProgress,
  isCaughtUp,
  notReady,
  scanProgressOf,
} from '../../listings/listing-progress.ts'
import { membersBefore } from '../../listings/members-before.ts'
import { OrderCursors } from '../../listings/order-cursor.ts'
import { readHead } from '../../store/listings.ts'
import { readLastSince } from '../../store/superseded.ts'
import { CurrentReader } from '../current-reader.ts'
import type { ReadContext } from '../read-context.ts'
import { foundSnapshot, orderedSnapshot, plainSnapshot } from '../snapshot-reads.ts'
import type { Snapshot } from '../snapshot.ts'

/** The items of which a summary is to be made, as they are at one moment. */
export type SummarySource = {
  /** Identity of the source: a summary of the same one can be resumed. */
  basis: string
  listingId: number | null
  /** End of its items, as a summary counts its progress, and the number of items before it. */
  end: { scanned: number; items: number }
  /** Whether a summary goes on after any of them, not only after all. */
  isResumable: boolean
  /** Progress within the repository; less than all where the view has not scanned all items. */
  progress: ScanProgress
  /** Whether these are all items of the dataset. */
  isWhole: boolean
  /** Reads the items that a summary does not cover yet; without `isResumable` it covers none or all. */
  snapshot: (covered: { scanned: number; items: number }) => Snapshot
}

/** How far a view has looked of which no item can be read yet. */
type NothingYet = { basis: undefined; progress: ScanProgress }

/**
 * Finds the items of a sequence, whatever their order is.
 * @throws Failure VIEW_NOT_READY where a part will not do and it takes too long
 */
export async function openSummarySource(
  context: ReadContext,
  { sequence, shown }: { sequence: Sequence; shown: Shown },
  options: ReadOptions,
): Promise<SummarySource | NothingYet> {
  const counted = withoutOrder(sequence)
  if (counted.kind === 'plain') {
    const open = counted.isCurrent ? openCurrentSource : openPlainSource
    return open(context, counted, { shown, options })
  }
  const { repoId, listing } = counted
  const { store, catchUp } = context
  const isCut = counted.bounds.length > 0 || listing.kind === 'excerpt' || listing.kind === 'state'
  if (isCut || counted.isCurrent) {
    return openCutSource(context, counted, { shown, options })
  }
  const reached = await catchUp.reach(listing, options)
  const row = reached.current ?? reached.building
  if (row === undefined) return { basis: undefined, progress: scanProgressOf(reached) }
  const { id: listingId } = row
  return {
    listingId,
    basis: `listing ${listingId}`,
    ...progressOf(reached),
    // Where the last of several items is, is only known of the last.
    isResumable: false,
    end: { scanned: Math.min(row.scanned, reached.head), items: row.count },
    snapshot: ({ scanned, items }) =>
      foundSnapshot(store, { repoId, listingId, count: row.count, after: scanned }, shown, items),
  }
}

/** The items of a repository in their order, or those of them that a listing has. */
async function openPlainSource(
  { store, catchUp }: ReadContext,
  { repoId, listing, limit, before }: PlainSequence,
  { shown, options }: { shown: Shown; options: ReadOptions },
): Promise<SummarySource | NothingYet> {
  if (listing === undefined) {
    const head = Math.min(await readHead(store.reads, repoId), before)
    const items = Math.min(head, limit)
    return {
      basis: 'repository',
      listingId: null,
      end: { scanned: items, items },
      isResumable: true,
      progress: { scanned: head, total: head },
      isWhole: true,
      snapshot: (covered) =>
        plainSnapshot(store, { repoId, listingId: undefined, count: items }, shown, covered.items),
    }
  }
  for (;;) {
    const isDone = (progress: ListingProgress) =>
      isCaughtUp(progress, Math.min(progress.head, before))
    const { head, ...source } = await catchUp.reach(listing, options, isDone)
    const reached = { ...source, head: Math.min(head, before) }
    const row = reached.current ?? reached.building
    if (row === undefined) return { basis: undefined, progress: scanProgressOf(reached) }
    const count = await membersBefore(store.reads, row, before)
    if (count === undefined) continue
    const { id: listingId } = row
    const items = Math.min(count, limit)
    return {
      listingId,
      basis: `listing ${listingId}`,
      ...progressOf(reached),
      isResumable: true,
      end: { scanned: items, items },
      snapshot: (covered) =>
        plainSnapshot(store, { repoId, listingId, count: items }, shown, covered.items),
    }
  }
}

/** The items of a plain sequence that hold: until another one is superseded they only grow at their end. */
async function openCurrentSource(
  context: ReadContext,
  sequence: PlainSequence,
  { shown, options }: { shown: Shown; options: ReadOptions },
): Promise<SummarySource | NothingYet> {
  const { repoId } = sequence
  const { progress, items } = await new CurrentReader(context, sequence, () => shown).find(options)
  const isWhole = progress === undefined || isCaughtUp(progress, progress.head)
  if (items === undefined || !isWhole) {
    return { basis: undefined, progress: scanProgressOf(progress!) }
  }
  const { row, count, at } = items
  const lastSince = await readLastSince(context.store.reads, repoId, at)
  return {
    listingId: row?.id ?? null,
    basis: `current since ${lastSince}`,
    end: { scanned: count, items: count },
    isResumable: true,
    progress: { scanned: at, total: at },
    isWhole: true,
    snapshot: (covered) =>
      plainSnapshot(
        context.store,
        { repoId, listingId: row?.id, count, current: items },
        shown,
        covered.items,
      ),
  }
}

/** How often it is looked again while listings change under the look. */
const looksMax = 50

/** The first items of an order: others come in among them, so a summary is made anew when they change. */
async function openCutSource(
  context: ReadContext,
  sequence: OrderedSequence,
  { shown, options }: { shown: Shown; options: ReadOptions },
): Promise<SummarySource | NothingYet> {
  const { store, catchUp } = context
  const { repoId } = sequence
  const cursors = new OrderCursors(context, sequence)
  for (let looks = 1; ; looks += 1) {
    const reached = await catchUp.reach(sequence.listing, options)
    const cursor = await cursors.look()
    if (cursor === undefined || cursor === 'moving' || !cursor.isAtRest) {
      const isBuilt = isCaughtUp(reached, reached.head)
      if (isBuilt && looks < looksMax) continue
      if (options.partial === true) {
        return { basis: undefined, progress: scanProgressOf(reached) }
      }
      throw notReady(reached)
    }
    const { row, bound, count: items, current } = cursor
    const key = bound === undefined ? 'all' : Buffer.from(bound).toString('hex')
    const source = { repoId, listingId: row.id, head: row.scanned, bound, count: items, current }
    return {
      basis: `first ${row.id} ${items} ${key}${current ? ` at ${current.at}` : ''}`,
      listingId: row.id,
      end: { scanned: items, items },
      isResumable: false,
      ...progressOf(reached),
      snapshot: (covered) =>
        orderedSnapshot(store, { ...source, keyBefore: new Uint8Array() }, shown, covered.items),
    }
  }
}

function progressOf(reached: ListingProgress): Pick<SummarySource, 'progress' | 'isWhole'> {
  const { head } = reached
  const isWhole = isCaughtUp(reached, head)
  return { isWhole, progress: isWhole ? { scanned: head, total: head } : scanProgressOf(reached) }
}
