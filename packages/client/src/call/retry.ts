import type { Call } from '@vitrine/contract'
import { ApiError, requestAborted } from './api-error.ts'

/** Tries after the first. */
export const usualRetries = 3

/** Milliseconds: the first wait is at most the first of these, the longest at most the second. */
const backoff = { first: 250, longest: 8000 }
/** The longest wait that a server is granted. */
const retryAfterMax = 60_000

/**
 * Makes a call again when that is safe: when the server refused it before it did anything, or when it
 * was lost and making it twice comes to the same as making it once. As long as a view that is not ready
 * looks at more and more items, asking again does not count as a try.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  {
    call,
    retries,
    resendable,
    signal,
  }: {
    call: Call
    retries: number
    /** Whether the body is still there to be sent again. */
    resendable: boolean
    signal: AbortSignal | undefined
  },
): Promise<T> {
  let scanned = 0
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries || !resendable || !(error instanceof ApiError)) throw error
      if (!(wasRefusedUnseen(error) || (wasLost(error) && isRepeatable(call)))) throw error
      await wait(waitOf(error, failures), signal)
      const progress = error.body?.details?.progress?.scanned ?? 0
      // A view that goes on is worth waiting for.
      if (progress > scanned) failures = -1
      scanned = progress
    }
  }
}

/** These are replied before anything is done (docs/errors.md). */
function wasRefusedUnseen({ code }: ApiError): boolean {
  return code === 'OVERLOADED' || code === 'PROVIDER_UNAVAILABLE' || code === 'VIEW_NOT_READY'
}

/** No reply, or one of a proxy's: what became of the call is not known. */
function wasLost({ status, lost }: ApiError): boolean {
  return lost || status === 502 || status === 503 || status === 504
}

/**
 * A DELETE is not: it comes to the same, but is answered 404 the second time, which tells someone who
 * mistyped a name from someone whose dataset is gone.
 */
function isRepeatable(call: Call): boolean {
  return call.method === 'GET' || call.repeatable === true
}

/**
 * Computes a wait in milliseconds: the server's own, and a random part whose bound doubles with each failure,
 * so that clients do not come at once.
 */
function waitOf({ retryAfter }: ApiError, failures: number): number {
  const most = Math.min(backoff.first * 2 ** failures, backoff.longest)
  const retryMs = Math.min((retryAfter ?? 0) * 1000, retryAfterMax)
  return retryMs + Math.random() * most
}

/** @throws ApiError when it is aborted */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(requestAborted(signal.reason))
    const abort = () => {
      clearTimeout(timer)
      reject(requestAborted(signal?.reason))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
