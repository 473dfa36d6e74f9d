import { setTimeout as sleep } from 'node:timers/promises'
import { isConflict, statusOf } from './s3-failure.ts'

/** How often an attempt is made before what broke off, or was answered unseen, counts. */
const attemptsMax = 5
const pauseMs = 200

/** Makes an attempt again where the store's client does not by itself. */
export async function retryAccidents<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = attemptsMax - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isAccident(error)) throw error
      await sleep(pauseMs)
    }
  }
}

/**
 * Whether an error is transient and the client does not retry by itself: a reply whose bytes break off, and the
 * conflict of a put with itself, when the reply to its first try was lost.
 */
function isAccident(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return isConflict(error) || statusOf(error) === 200 || code === 'ECONNRESET'
}
