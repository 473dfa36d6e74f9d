import { toHex } from '@vitrine/contract'
import { requestAborted } from './call/api-error.ts'

/** Computes a sha256 in lowercase hex, telling of the bytes done so far. */
export type Sha256 = (
  value: Blob,
  options: { onProgress: (bytes: number) => void; signal?: AbortSignal | undefined },
) => Promise<string>

/** Node's own hash, which takes a value in pieces; WebCrypto elsewhere, which must hold it at once. */
export const sha256: Sha256 = (value, options) => {
  const node = nodeCrypto()
  return node === undefined ? byWebCrypto(value, options) : byNode(node, value, options)
}

type NodeCrypto = {
  createHash: (algorithm: 'sha256') => {
    update: (bytes: Uint8Array) => void
    digest: (encoding: 'hex') => string
  }
}

/** Not by an import, which a bundle for browsers could not follow. */
function nodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (id: string) => NodeCrypto | undefined }
  }
  return process?.getBuiltinModule?.('node:crypto')
}

async function byNode(
  { createHash }: NodeCrypto,
  value: Blob,
  { onProgress, signal }: Parameters<Sha256>[1],
): Promise<string> {
  const hash = createHash('sha256')
  let done = 0
  for await (const bytes of value.stream()) {
    if (signal?.aborted === true) throw requestAborted(signal.reason)
    hash.update(bytes)
    done += bytes.length
    onProgress(done)
  }
  return hash.digest('hex')
}

async function byWebCrypto(value: Blob, { onProgress }: Parameters<Sha256>[1]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await value.arrayBuffer())
  onProgress(value.size)
  return toHex(digest)
}
