/** How many sign-ins one address may leave open, and how soon each is forgotten again, as it expires itself. */
const openMax = 100
const forgottenMs = 36_000

/** Addresses that are remembered at most. */
const addressesMax = 10_000

type Bucket = { open: number; at: number }

/**
 * Bounds what somebody without an account can make the server keep: sign-ins that are begun and not gone
 * through with, a leaky bucket for each address. It is of this process alone, as so is the load.
 */
export class OpenSignIns {
  readonly #buckets = new Map<string, Bucket>()
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /**
   * Notes a sign-in that is begun.
   * @returns how many seconds to wait when there are too many; 0 when it may be
   */
  begin(address: string): number {
    const { open, at } = this.#leaked(address)
    if (open >= openMax) return Math.ceil((forgottenMs - (this.#clock() - at)) / 1000)
    this.#keep(address, { open: open + 1, at })
    return 0
  }

  /** Notes that one was gone through with. */
  end(address: string): void {
    const { open, at } = this.#leaked(address)
    this.#keep(address, { open: Math.max(0, open - 1), at })
  }

  #leaked(address: string): Bucket {
    const now = this.#clock()
    const { open, at } = this.#buckets.get(address) ?? { open: 0, at: now }
    const forgotten = Math.floor((now - at) / forgottenMs)
    if (forgotten >= open) return { open: 0, at: now }
    return { open: open - forgotten, at: at + forgotten * forgottenMs }
  }

  #keep(address: string, bucket: Bucket): void {
    this.#buckets.delete(address)
    if (bucket.open > 0) this.#buckets.set(address, bucket)
    if (this.#buckets.size > addressesMax) this.#buckets.delete(this.#buckets.keys().next().value!)
  }
}
