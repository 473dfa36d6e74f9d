type Waiting = { owner: string; proceed: () => void }

/**
 * Runs so many jobs at once. Of those that wait, the next one is of whoever has the fewest running, among
 * equals of whoever has not had a turn for longest: nobody waits for all that another person has queued.
 */
export class FairQueue {
  #free: number
  readonly #running = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  /** By owner, the number of the last turn that each had. */
  readonly #turns = new Map<string, number>()
  #turn = 0

  constructor(concurrency: number) {
    this.#free = concurrency
  }

  async run<T>(owner: string, job: () => Promise<T>): Promise<T> {
    if (this.#free === 0) {
      await new Promise<void>((proceed) => this.#waiting.push({ owner, proceed }))
    } else {
      this.#free -= 1
    }
    this.#count(owner, 1)
    try {
      return await job()
    } finally {
      this.#count(owner, -1)
      this.#next()
    }
  }

  /** Lets everything that waits begin, as at a stop, where each job ends by itself. */
  releaseAll(): void {
    for (const { proceed } of this.#waiting.splice(0)) proceed()
  }

  #next(): void {
    let first: Waiting | undefined
    for (const each of this.#waiting) {
      if (first === undefined || this.#isBefore(each.owner, first.owner)) first = each
    }
    if (first === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.splice(this.#waiting.indexOf(first), 1)
    first.proceed()
  }

  #isBefore(owner: string, other: string): boolean {
    const more = (this.#running.get(owner) ?? 0) - (this.#running.get(other) ?? 0)
    return more < 0 || (more === 0 && (this.#turns.get(owner) ?? 0) < (this.#turns.get(other) ?? 0))
  }

  #count(owner: string, change: number): void {
    const running = (this.#running.get(owner) ?? 0) + change
    if (change > 0) this.#turns.set(owner, (this.#turn += 1))
    if (running > 0) this.#running.set(owner, running)
    else {
      this.#running.delete(owner)
      if (!this.#waiting.some((each) => each.owner === owner)) this.#turns.delete(owner)
    }
  }
}
