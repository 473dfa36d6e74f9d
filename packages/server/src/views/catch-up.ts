import { setTimeout as sleep } from 'node:timers/promises'
import { Kept } from '../store/kept.ts'
import { advanceExcerpt } from './advance-excerpt.ts'
import { growListing } from './grow-listing.ts'
import type { Listing } from './sequence.ts'
import { isCaughtUp, prepareStanding, type Standing } from './standing.ts'
import type { Workshop } from './workshop.ts'

/** Listings of which it is remembered that nothing was written since. */
const restedMax = 1000

/**
 * Brings listings to the head of their repositories, when somebody reads or a view is new: a commit
 * does nothing for views. The work goes on in the background once it was begun; what a stop leaves
 * undone, the next read goes on with.
 */
export class CatchUp {
  readonly #workshop: Workshop
  readonly #onError: (error: unknown) => void
  readonly #readStanding: ReturnType<typeof prepareStanding>
  /** By view. */
  readonly #flows = new Map<number, Promise<void>>()
  readonly #steps = new Map<number, Promise<boolean>>()
  /** Where listings are that are caught up, as long as nothing is written. */
  readonly #rested = new Kept<number, { version: number; standing: Standing }>(restedMax)

  constructor(workshop: Workshop, { onError }: { onError: (error: unknown) => void }) {
    this.#workshop = workshop
    this.#onError = onError
    this.#readStanding = prepareStanding(workshop.store.prepare)
  }

  /**
   * Brings a listing to where its repository is now, for at most so many milliseconds; says where it is
   * then, beside what the repository had at the beginning.
   */
  async reach(listing: Listing, budgetMs: number): Promise<Standing> {
    const known = this.#rested.find(listing.viewId)
    if (known?.version === this.#workshop.store.version()) return known.standing
    const began = performance.now()
    let standing = await this.#stand(listing)
    const { head } = standing
    // A flow that was under way may have looked at the head before this read did; the next one has not.
    for (let flows = 0; flows < 2 && !isCaughtUp(standing, head); flows += 1) {
      const flow = this.#flow(listing)
      const left = budgetMs - (performance.now() - began)
      if (left <= 0) break
      await within(left, flow)
      standing = await this.#stand(listing)
    }
    return { ...standing, head }
  }

  async #stand(listing: Listing): Promise<Standing> {
    const version = this.#workshop.store.version()
    const standing = await this.#readStanding(listing)
    if (isCaughtUp(standing, standing.head)) {
      this.#rested.put(listing.viewId, { version, standing })
    }
    return standing
  }

  /** Begins to bring a listing to the head, for nobody who waits. */
  begin(listing: Listing): void {
    void this.#flow(listing)
  }

  /** Ends after the window that is under way. */
  async stop(): Promise<void> {
    this.#workshop.lane.close()
    await Promise.allSettled(this.#flows.values())
  }

  #flow(listing: Listing): Promise<void> {
    const { viewId } = listing
    const known = this.#flows.get(viewId)
    if (known !== undefined) return known
    const flow = this.#run(listing).finally(() => this.#flows.delete(viewId))
    flow.catch((error: unknown) => this.#onError(error))
    this.#flows.set(viewId, flow)
    return flow
  }

  async #run(listing: Listing): Promise<void> {
    const { lane } = this.#workshop
    try {
      while (!lane.isClosed && (await this.#step(listing)));
    } catch (error) {
      if (!lane.isClosed) throw error
    }
  }

  /** One step of a listing and of those below it, whoever else asks for the same. */
  #step(listing: Listing): Promise<boolean> {
    const { viewId } = listing
    const known = this.#steps.get(viewId)
    if (known !== undefined) return known
    const step = this.#advance(listing).finally(() => this.#steps.delete(viewId))
    this.#steps.set(viewId, step)
    return step
  }

  async #advance(listing: Listing): Promise<boolean> {
    const below = listing.base.listing
    const baseGrows = below !== undefined && (await this.#step(below))
    const hasMore =
      listing.kind === 'excerpt'
        ? await advanceExcerpt(this.#workshop, listing, { baseGrows })
        : await growListing(this.#workshop, listing, { baseGrows })
    return baseGrows || hasMore
  }
}

/** Waits for a promise, but for no longer. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const { signal } = timer
  try {
    await Promise.race([promise, sleep(milliseconds, undefined, { signal })])
  } finally {
    timer.abort()
  }
}
