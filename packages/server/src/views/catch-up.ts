import { Kept } from '../runtime/lru-cache.ts'
import { advanceExcerpt } from '../listings/advance-excerpt.ts'
import { notReady, type Asking, type Budgets } from './answer.ts'
import { boundExplorations } from '../listings/sweep-explorations.ts'
import { growListing } from '../listings/grow-listing.ts'
import { ownerKey, type Listing } from '../language/sequence.ts'
import { isCaughtUp, prepareStanding, type Standing } from '../listings/listing-progress.ts'
import { Waits, type Wait } from '../listings/waits.ts'
import type { Workshop } from './workshop.ts'

/** Listings of which it is remembered that nothing was written since. */
const restedMax = 1000

/** What became of one step of a listing: whether there is more to do, and where the listing is then. */
type Step = { hasMore: boolean; standing: () => Promise<Standing> }

type Options = { budgets: Budgets; waitingMax: number; onError: (error: unknown) => void }

/**
 * Brings listings to the head of their repositories, when somebody reads or a view is new: a commit
 * does nothing for views. The work goes on in the background once it was begun; what a stop leaves
 * undone, the next read goes on with.
 */
export class CatchUp {
  readonly #workshop: Workshop
  readonly #budgets: Budgets
  readonly #waits: Waits
  readonly #onError: (error: unknown) => void
  readonly #readStanding: ReturnType<typeof prepareStanding>
  /** By owner. */
  readonly #flows = new Map<string, Promise<void>>()
  readonly #steps = new Map<string, Promise<Step>>()
  /** Where listings are that are caught up, as long as nothing is written. */
  readonly #rested = new Kept<string, { version: number; standing: Standing }>(restedMax)

  constructor(workshop: Workshop, { budgets, waitingMax, onError }: Options) {
    this.#workshop = workshop
    this.#budgets = budgets
    this.#waits = new Waits(waitingMax)
    this.#onError = onError
    this.#readStanding = prepareStanding(workshop.store.prepare)
  }

  /**
   * Brings a listing to where its repository is now, or until it is enough; says where it is then, beside
   * what the repository had at the beginning. Who takes a part waits a short time only.
   * @throws Failure VIEW_NOT_READY where a part will not do and it takes too long
   */
  async reach(
    listing: Listing,
    { partial = false, gone }: Asking = {},
    isEnough: (standing: Standing) => boolean = () => false,
  ): Promise<Standing> {
    const known = this.#rested.find(ownerKey(listing.owner))
    if (known?.version === this.#workshop.store.version()) return known.standing
    const standing = await this.#stand(listing)
    const isDone = (now: Standing) => isCaughtUp(now, standing.head) || isEnough(now)
    if (isDone(standing)) return standing
    const { partial: partialMs, whole: wholeMs } = this.#budgets
    using wait = this.#waits.begin(partial ? partialMs : wholeMs, gone?.())
    const reached = await this.#reachWithin(wait, listing, { from: standing, isDone })
    if (!partial && !isDone(reached)) throw notReady(reached)
    return reached
  }

  async #reachWithin(
    wait: Wait,
    listing: Listing,
    { from, isDone }: { from: Standing; isDone: (standing: Standing) => boolean },
  ): Promise<Standing> {
    let standing = from
    // A step that was under way may have looked at the head before this read did; the next one has not.
    let idleSteps = 0
    while (idleSteps < 2 && !isDone(standing)) {
      void this.#flow(listing)
      const step = await wait.for(this.#step(listing))
      if (step === undefined) break
      const { head: _, ...next } = await step.standing()
      idleSteps = step.hasMore || isFurther(next, standing) ? 0 : idleSteps + 1
      standing = { ...next, head: from.head }
    }
    return standing
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

  /** Has nobody wait any more: reads get what there is, or are refused. */
  endWaits(): void {
    this.#waits.end()
  }

  /** Ends after the window that is under way. */
  async stop(): Promise<void> {
    this.endWaits()
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
    while (!lane.isClosed && (await this.#step(listing)).hasMore);
  }

  /** One step of a listing and of those below it, whoever else asks for the same. */
  #step(listing: Listing): Promise<Step> {
    const key = ownerKey(listing.owner)
    const known = this.#steps.get(key)
    if (known !== undefined) return known
    const step = this.#advance(listing)
      .catch((error: unknown) => {
        if (!this.#workshop.lane.isClosed) throw error
        return false
      })
      .then((hasMore) => this.#stepped(listing, hasMore))
      .finally(() => this.#steps.delete(key))
    this.#steps.set(key, step)
    return step
  }

  /** Where the listing is after a step is looked up once, however many wait for it. */
  #stepped(listing: Listing, hasMore: boolean): Step {
    let standing: Promise<Standing> | undefined
    return { hasMore, standing: () => (standing ??= this.#stand(listing)) }
  }

  async #advance(listing: Listing): Promise<boolean> {
    const below = listing.base.listing
    const baseGrows = below !== undefined && (await this.#step(below)).hasMore
    const hasMore =
      listing.kind === 'excerpt'
        ? await advanceExcerpt(this.#workshop, listing, { baseGrows })
        : await growListing(this.#workshop, listing, { baseGrows })
    if (listing.owner.exploration !== '') await boundExplorations(this.#workshop, listing.owner)
    return baseGrows || hasMore
  }
}

/** Whether a listing was worked on between two looks at it. */
function isFurther(
  { current, building }: Pick<Standing, 'current' | 'building'>,
  before: Standing,
): boolean {
  const was = [before.current, before.building]
  return [current, building].some(
    (row, index) => row?.id !== was[index]?.id || row?.scanned !== was[index]?.scanned,
  )
}
