import { vi } from 'vitest'

/** The longest that a timer can take: the time limit of the test comes first. */
const timeout = 2 ** 31 - 1

/** Asks until the answer is neither empty nor false; the test's own time limit is the only deadline. */
export const until = <T>(ask: () => T | Promise<T>) => vi.waitUntil(ask, { interval: 5, timeout })

/** Makes an attempt until it succeeds, or fails with an error that does not pass by itself. */
export async function untilDone<T>(
  attempt: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
): Promise<T> {
  const settled = () =>
    attempt().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (!isPassing(error)) throw error
        return undefined
      },
    )
  // What refuses many clients is not to be kept busy by them.
  const { value } = await vi.waitUntil(settled, { interval: 100, timeout })
  return value
}
