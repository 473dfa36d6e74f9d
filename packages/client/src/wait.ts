import { requestAborted } from './api-error.ts'

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
