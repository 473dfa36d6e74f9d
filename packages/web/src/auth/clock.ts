/** The time, and waking at one. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** Calls at a moment, or soon after; returns how to call that off. */
  wakeAt: (moment: number, then: () => void) => () => void
}

/** A timer counts no time that the computer sleeps, so it looks at the clock so often. */
const pollMs = 5000

export const pageClock: Clock = {
  now: () => Date.now(),
  wakeAt: (moment, then) => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const left = moment - Date.now()
      timer = left <= 0 ? setTimeout(then) : setTimeout(wait, Math.min(left, pollMs))
    }
    wait()
    return () => clearTimeout(timer)
  },
}
