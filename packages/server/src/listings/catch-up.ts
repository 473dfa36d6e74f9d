import { LruCache } from '../runtime/lru-cache.ts'
import { advanceExcerpt } from './advance-excerpt.ts'
import { advanceState } from './advance-state.ts'
import { boundExplorations } from './sweep-explorations.ts'
import { growListing } from './grow-listing.ts'
import { ownerKey, type Listing, type StateListing } from '../language/sequence.ts'
import type { ListingOwner } from '../store/listings.ts'
import {
  isCaughtUp,
  prepareListingProgress,
  type ListingProgress,
  notReady,
} from './listing-progress.ts'
import type { Waits, Wait } from './waits.ts'
import type { ListingContext } from './listing-context.ts'

/** Listings whose progress is cached. */
const knownMax = 1000

/** The result of one step of a listing: whether there is more to do, and the listing after it. */
type Step = { hasMore: boolean; progress: () => Promise<ListingProgress> }

/**
 * Options of a read. Replies are whole: a read waits until the view has scanned all items, and fails with
 * VIEW_NOT_READY when that takes too long (docs/decisions/answers.md).
 */
export type ReadOptions = {
  /** Whether a partial reply will do: the items found after a short wait, with the progress of the view. */
  partial?: boolean | undefined
  /** Whether cached progress will do; then no work is begun. */
  cachedOnly?: boolean | undefined
  /** Aborted when the caller no longer waits. */
  signal?: (() => AbortSignal) | undefined
}

/** Budgets of reads that wait for a view to catch up, in milliseconds. */
export type Budgets = {
  /** Milliseconds of a read that takes a partial reply. */
  partial: number
  /** Milliseconds of a read that takes a whole reply only. */
  whole: number
  /** Milliseconds that a preview scans items. */
  preview: number
  /** Milliseconds that an exploration is worked on after the last read of it. */
  background: number
}

export const usualBudgets: Budgets = {
  partial: 250,
  whole: 30_000,
  preview: 300,
  background: 10_000,
}

type Options = { budgets: Budgets; waits: Waits; onError: (error: unknown) => void }

/**
 * Catches listings up with their repositories when they are read or a view is new: a commit does nothing for
 * views. The work goes on in the background once it was begun, that of an exploration until `#workUntil`; the
 * next read resumes it.
 */
export class CatchUp {
  readonly #listingContext: ListingContext
  readonly #budgets: Budgets
  readonly #waits: Waits
  readonly #onError: (error: unknown) => void
  readonly #queryProgress: ReturnType<typeof prepareListingProgress>
  /** By owner. */
  readonly #background = new Map<string, Promise<void>>()
  readonly #sharedSteps = new Map<string, Promise<Step>>()
  /** The exploration that was read last, and when the work on it ends: others are gone on with when they are read. */
  #explored: { listing: Listing; workUntil: number } | undefined
  /** Progress of listings that are caught up, cached as long as nothing is written. */
  readonly #knownProgress = new LruCache<string, { version: number; progress: ListingProgress }>(
    knownMax,
  )

  constructor(listingContext: ListingContext, { budgets, waits, onError }: Options) {
    this.#listingContext = listingContext
    this.#budgets = budgets
    this.#waits = waits
    this.#onError = onError
    this.#queryProgress = prepareListingProgress(listingContext.store.prepare)
  }

  /**
   * Catches the listing up with its repository, or until `isEnough`. Returns its progress, with the head of the
   * repository at the beginning. With `partial`, waits at most `budgets.partial`.
   * @throws Failure VIEW_NOT_READY without `partial`, when it takes too long
   */
  async reach(
    listing: Listing,
    { partial = false, cachedOnly = false, signal }: ReadOptions = {},
    isEnough: (progress: ListingProgress) => boolean = () => false,
  ): Promise<ListingProgress> {
    const cached = this.#knownProgress.find(revisionKey(listing.owner))
    if (cached?.version === this.#listingContext.store.version()) return cached.progress
    const progress = await this.#readProgress(listing)
    const isDone = (now: ListingProgress) => isCaughtUp(now, progress.head) || isEnough(now)
    if (isDone(progress) || cachedOnly) return progress
    using wait = this.beginWait(listing, { partial, signal })
    const reached = await this.#waitFor(wait, listing, { from: progress, isDone })
    if (!partial && !isDone(reached)) throw notReady(reached)
    return reached
  }

  /** Begins the wait of a read, and ends the work on other explorations that nobody waits for. */
  beginWait(listing: Listing, { partial = false, signal }: ReadOptions): Wait {
    const waitMs = partial ? this.#budgets.partial : this.#budgets.whole
    if (listing.owner.exploration !== '') {
      const workUntil = performance.now() + waitMs + this.#budgets.background
      this.#explored = { listing, workUntil }
    }
    return this.#waits.begin(waitMs, signal?.())
  }

  async #waitFor(
    wait: Wait,
    listing: Listing,
    { from, isDone }: { from: ListingProgress; isDone: (progress: ListingProgress) => boolean },
  ): Promise<ListingProgress> {
    let progress = from
    // A step that was under way may have looked at the head before this read did; the next one has not.
    let idleSteps = 0
    while (idleSteps < 2 && !isDone(progress)) {
      void this.#workInBackground(listing)
      const step = await wait.for(this.#sharedStep(listing))
      if (step === undefined) break
      const { head: _, ...next } = await step.progress()
      idleSteps = step.hasMore || isFurther(next, progress) ? 0 : idleSteps + 1
      progress = { ...next, head: from.head }
    }
    return progress
  }

  async #readProgress(listing: Listing): Promise<ListingProgress> {
    const version = this.#listingContext.store.version()
    const progress = await this.#queryProgress(listing)
    if (isCaughtUp(progress, progress.head)) {
      this.#knownProgress.put(revisionKey(listing.owner), { version, progress })
    }
    return progress
  }

  /** Catches a listing up with the head in the background. */
  begin(listing: Listing): void {
    void this.#workInBackground(listing)
  }

  /** Ends all waits: reads get a part where they accept one, or are refused. */
  endWaits(): void {
    this.#waits.end()
  }

  /** Ends after the window that is under way. */
  async stop(): Promise<void> {
    this.endWaits()
    this.#listingContext.queue.close()
    await Promise.allSettled(this.#background.values())
    await this.#listingContext.earlySorts.close()
  }

  #workInBackground(listing: Listing): Promise<void> {
    const key = revisionKey(listing.owner)
    const running = this.#background.get(key)
    if (running !== undefined) return running
    const flow = this.#runInBackground(listing).finally(() => this.#background.delete(key))
    flow.catch((error: unknown) => this.#onError(error))
    this.#background.set(key, flow)
    return flow
  }

  async #runInBackground(listing: Listing): Promise<void> {
    while (this.isWanted(listing) && (await this.#sharedStep(listing)).hasMore);
  }

  /**
   * Whether work goes on that nobody waits for: on a view to its end, and for a while on the exploration that was read
   * last, or on one that is on it or below it: a screen reads an order, and counts what is in it.
   */
  isWanted(listing: Listing): boolean {
    if (this.#listingContext.queue.isClosed) return false
    if (listing.owner.exploration === '') return true
    if (this.#explored === undefined || performance.now() >= this.#explored.workUntil) return false
    return isOn(listing, this.#explored.listing) || isOn(this.#explored.listing, listing)
  }

  /** Does one step of a listing and of those below it, shared by all callers that ask for the same. */
  #sharedStep(listing: Listing): Promise<Step> {
    const key = revisionKey(listing.owner)
    const running = this.#sharedSteps.get(key)
    if (running !== undefined) return running
    const step = this.#advance(listing)
      .catch((error: unknown) => {
        if (!this.#listingContext.queue.isClosed) throw error
        return false
      })
      .then((hasMore) => this.#stepOf(listing, hasMore))
      .finally(() => this.#sharedSteps.delete(key))
    this.#sharedSteps.set(key, step)
    return step
  }

  /** Makes a step, whose progress is read once, however many wait for it. */
  #stepOf(listing: Listing, hasMore: boolean): Step {
    let progress: Promise<ListingProgress> | undefined
    return { hasMore, progress: () => (progress ??= this.#readProgress(listing)) }
  }

  async #advance(listing: Listing): Promise<boolean> {
    // Then those below it need not be looked at, of which there may be many.
    const progress = await this.#readProgress(listing)
    if (isCaughtUp(progress, progress.head)) return false
    const hasMore = await (listing.kind === 'state'
      ? this.#advanceState(listing)
      : this.#advanceOn(listing))
    if (listing.owner.exploration !== '')
      await boundExplorations(this.#listingContext, listing.owner)
    return hasMore
  }

  async #advanceOn(listing: Exclude<Listing, StateListing>): Promise<boolean> {
    const below = listing.base.listing
    const baseGrows = below !== undefined && (await this.#sharedStep(below)).hasMore
    const hasMore =
      listing.kind === 'excerpt'
        ? await advanceExcerpt(this.#listingContext, listing, { baseGrows })
        : await growListing(this.#listingContext, listing, { baseGrows })
    return baseGrows || hasMore
  }

  /** Advances the listing of a state, which needs nothing that came after the state. */
  async #advanceState(listing: StateListing): Promise<boolean> {
    const { base, before } = listing
    let [isKnown, hasMore] = [true, false]
    for (const each of [base.listing, ...base.bounds.map((bound) => bound.listing)]) {
      if (isCaughtUp(await this.#readProgress(each), before)) continue
      const step = await this.#sharedStep(each)
      hasMore ||= step.hasMore
      isKnown &&= isCaughtUp(await step.progress(), before)
    }
    return isKnown ? advanceState(this.#listingContext, listing) : hasMore
  }
}

/** Tells owners apart, and one whose order has been made anew from what it was before. */
function revisionKey(owner: ListingOwner): string {
  return `${ownerKey(owner)} ${owner.orderRevision}`
}

/** Whether a listing is another one, or made of it. */
function isOn(listing: Listing, other: Listing): boolean {
  const { owner, base } = listing
  if (revisionKey(owner) === revisionKey(other.owner)) return true
  return base.listing !== undefined && isOn(base.listing, other)
}

/** Whether a listing was worked on between two looks at it. */
function isFurther(
  { current, building }: Pick<ListingProgress, 'current' | 'building'>,
  before: ListingProgress,
): boolean {
  const was = [before.current, before.building]
  return [current, building].some(
    (row, index) => row?.id !== was[index]?.id || row?.scanned !== was[index]?.scanned,
  )
}
