import { setTimeout as sleep } from 'node:timers/promises'
import { Kept } from '../store/kept.ts'
import { advanceExcerpt } from './advance-excerpt.ts'
import { boundExplorations } from './sweep-explorations.ts'
import { growListing } from './grow-listing.ts'
import { ownerKey, type Listing } from './sequence.ts'
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
  /** By owner. */
  readonly #flows = new Map<string, Promise<void>>()
  readonly #steps = new Map<string, Promise<boolean>>()
  /** Where listings are that are caught up, as long as nothing is written. */
  readonly #rested = new Kept<string, { version: number; standing: Standing }>(restedMax)

  constructor(workshop: Workshop, { onError }: { onError: (error: unknown) => void }) {
    this.#workshop = workshop
    this.#onError = onError
    this.#readStanding = prepareStanding(workshop.store.prepare)
  }

  /**
   * Brings a listing to where its repository is now, for at most so many milliseconds or until it is
   * enough; says where it is then, beside what the repository had at the beginning.
   */
  async reach(
    listing: Listing,
    budgetMs: number,
    isEnough: (standing: Standing) => boolean = () => false,
  ): Promise<Standing> {
    const known = this.#rested.find(ownerKey(listing.owner))
    if (known?.version === this.#workshop.store.version()) return known.standing
    const began = performance.now()
    let standing = await this.#stand(listing)
    const { head } = standing
    // A step that was under way may have looked at the head before this read did; the next one has not.
    let lastSteps = 0
    while (lastSteps < 2 && !isCaughtUp(standing, head) && !isEnough(standing)) {
      void this.#flow(listing)
      const left = budgetMs - (performance.now() - began)
      if (left <= 0) break
      const hasMore = await within(left, this.#step(listing))
      if (hasMore === false) lastSteps += 1
      standing = await this.#stand(listing)
    }
    return { ...standing, head }
  }

  async #stand(listing: Listing): Promise<Standing> {
    const version = this.#workshop.store.version()
    const standing = await this.#readStanding(listing)
    if (isCaughtUp(standing, standing.head)) {
      this.#rested.put(ownerKey(listing.owner), { version, standing })
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
    const key = ownerKey(listing.owner)
    const known = this.#flows.get(key)
    if (known !== undefined) return known
    const flow = this.#run(listing).finally(() => this.#flows.delete(key))
    flow.catch((error: unknown) => this.#onError(error))
    this.#flows.set(key, flow)
    return flow
  }

  async #run(listing: Listing): Promise<void> {
    const { lane } = this.#workshop
    while (!lane.isClosed && (await this.#step(listing)));
  }

  /** One step of a listing and of those below it, whoever else asks for the same. */
  #step(listing: Listing): Promise<boolean> {
    const key = ownerKey(listing.owner)
    const known = this.#steps.get(key)
    if (known !== undefined) return known
    const step = this.#advance(listing)
      .catch((error: unknown) => {
        if (!this.#workshop.lane.isClosed) throw error
        return false
      })
      .finally(() => this.#steps.delete(key))
    this.#steps.set(key, step)
    return step
  }

  async #advance(listing: Listing): Promise<boolean> {
    const below = listing.base.listing
    const baseGrows = below !== undefined && (await this.#step(below))
    const hasMore =
      listing.kind === 'excerpt'
        ? await advanceExcerpt(this.#workshop, listing, { baseGrows })
        : await growListing(this.#workshop, listing, { baseGrows })
    if (listing.owner.exploration !== '') await boundExplorations(this.#workshop, listing.owner)
    return baseGrows || hasMore
  }
}

/** What a promise gives; undefined when that takes longer. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  const { signal } = timer
  try {
    return await Promise.race([promise, sleep(milliseconds, undefined, { signal })])
  } finally {
    timer.abort()
  }
}
