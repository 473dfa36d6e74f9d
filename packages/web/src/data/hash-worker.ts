import { createSHA256 } from 'hash-wasm'

/** Message from the worker: bytes done so far, the digest, or why there is none. */
export type HashMessage =
  { bytes: number } | { digest: string } | { failure: 'unreadable' | 'unsupported' }

/** Memory stays at one slice whatever the size of the file. */
const sliceBytes = 4 * 1024 * 1024

addEventListener('message', ({ data }: MessageEvent<Blob>) => void hash(data).then(say))

function say(message: HashMessage): void {
  postMessage(message, { transfer: [] })
}

async function hash(blob: Blob): Promise<HashMessage> {
  const hasher = await createSHA256().catch(() => undefined)
  if (hasher === undefined) return { failure: 'unsupported' }
  try {
    for (let from = 0; from < blob.size; from += sliceBytes) {
      const slice = await blob.slice(from, from + sliceBytes).arrayBuffer()
      hasher.update(new Uint8Array(slice))
      say({ bytes: from + slice.byteLength })
    }
  } catch {
    return { failure: 'unreadable' }
  }
  return { digest: hasher.digest('hex') }
}
