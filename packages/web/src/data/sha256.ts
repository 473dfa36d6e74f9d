import { requestAborted, type Sha256 } from '@vitrine/client'
import { toHex } from '@vitrine/contract'
import type { HashMessage } from './hash-worker.ts'

/** Up to this size a value is hashed at once, which costs less than a worker's start. */
const atOnceBytes = 4 * 1024 * 1024

/**
 * Hashes a value: a small one with WebCrypto, a large one in slices in a worker. Where the page is no
 * secure context there is no WebCrypto, and where WebAssembly is refused there is no worker: each
 * stands in for the other.
 */
export const sha256: Sha256 = async (value, options) => {
  const webCrypto = globalThis.isSecureContext
  if (webCrypto && value.size <= atOnceBytes) return hashAtOnce(value, options)
  const digest = await hashInWorker(value, options)
  if (digest !== undefined) return digest
  if (webCrypto) return hashAtOnce(value, options)
  throw new Error('This browser offers no way to compute a sha256 on this page')
}

type Options = Parameters<Sha256>[1]

async function hashAtOnce(value: Blob, { onProgress }: Options): Promise<string> {
  const bytes = await value.arrayBuffer().catch(unreadable)
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  onProgress(value.size)
  return toHex(digest)
}

/** The digest, or undefined where this browser has no such worker or no WebAssembly. */
async function hashInWorker(
  value: Blob,
  { onProgress, signal }: Options,
): Promise<string | undefined> {
  if (signal?.aborted === true) throw requestAborted(signal.reason)
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url))
  const stop = new AbortController()
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(requestAborted(signal.reason)), {
        signal: stop.signal,
      })
      worker.addEventListener('error', () => resolve(undefined))
      worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
        if ('bytes' in data) onProgress(data.bytes)
        else if ('digest' in data) resolve(data.digest)
        else if (data.failure === 'unsupported') resolve(undefined)
        else reject(fileUnreadable(undefined))
      })
      worker.postMessage(value, [])
    })
  } finally {
    stop.abort()
    worker.terminate()
  }
}

function unreadable(cause: unknown): never {
  throw fileUnreadable(cause)
}

/** A file that was changed or removed after it was chosen cannot be read any more. */
function fileUnreadable(cause: unknown): Error {
  return new Error('A file could not be read: it may have changed. Choose it again', { cause })
}
