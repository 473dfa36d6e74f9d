export type ProbeOptions = {
  /** Milliseconds from the end of one check to the next. */
  everyMs: number
  /** Milliseconds after which a check without an answer counts as failed. */
  timeoutMs: number
  /** Called with the reason when a check fails after none did, and with undefined when one succeeds again. */
  onChange: (failure: Error | undefined) => void
}

/** Checks something again and again from its first `refresh` on; it counts as up until a check fails. */
export class Probe {
  readonly #check: () => Promise<unknown>
  readonly #options: ProbeOptions
  #isUp = true
  #pending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(check: () => Promise<unknown>, options: ProbeOptions) {
    this.#check = check
    this.#options = options
  }

  /** The result of the last check. */
  get isUp(): boolean {
    return this.#isUp
  }

  /** Checks now, once for all who ask meanwhile; resolves when it is known, within the timeout. */
  refresh(): Promise<void> {
    this.#pending ??= this.#run()
    return this.#pending
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #run(): Promise<void> {
    const { everyMs, timeoutMs } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    const note = (failure: Error | undefined) => {
      this.#note(failure)
      resolve()
    }
    const silence = setTimeout(
      () => note(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
    clearTimeout(this.#timer)
    void this.#check()
      .then(() => note(undefined), note)
      // One that is late is waited for: where something hangs, checks do not pile up.
      .finally(() => {
        clearTimeout(silence)
        this.#pending = undefined
        if (!this.#isStopped) this.#timer = setTimeout(() => void this.refresh(), everyMs)
      })
    return promise
  }

  #note(failure: Error | undefined): void {
    const isUp = failure === undefined
    if (isUp === this.#isUp || this.#isStopped) return
    this.#isUp = isUp
    this.#options.onChange(failure)
  }
}
