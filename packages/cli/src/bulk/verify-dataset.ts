import { hash } from 'node:crypto'
import { type Client, type Seen, verifyDataset as verify } from '@vitrine/client'
import { showTransfer } from '../command/progress.ts'
import { findKnownLog, keepKnownLog } from '../sign-in/known-logs.ts'
import { readValue } from './read-value.ts'
import type { Verified, VerifyOptions } from './verified.ts'

/**
 * Verifies a dataset as `@vitrine/client` does, and remembers the state of its log.
 * @param at the state that is verified, as it is now where nothing is said
 * @param silenceMs how long a value may send no byte
 * @throws ApiError when the server cannot be reached, or refuses
 */
export async function verifyDataset(
  client: Client,
  datasetId: string,
  {
    io,
    seen,
    signal,
    onDamage,
    hasLog = false,
    at,
    silenceMs,
  }: VerifyOptions & {
    seen: Seen
    hasLog?: boolean
    at?: number | undefined
    silenceMs?: number | undefined
  },
): Promise<Verified> {
  const server = client.options.baseUrl
  const progress = showTransfer(io, datasetId)
  try {
    const { items, values, bytes, entries, log } = await verify(client, datasetId, {
      hash: (read) => new Uint8Array(hash('sha256', read, 'buffer')),
      readFile: (value) => readValue(client, value, { signal, silenceMs }),
      hasLog,
      at,
      findKnown: (repo) => findKnownLog(io, { server, repo }),
      onDamage,
      onProgress: (done) => {
        progress.update(done.bytes)
        progress.note(`${done.items.toLocaleString('en')} items`)
      },
      signal,
      seen,
    })
    if (log?.known !== undefined) await keepKnownLog(io, { server, repo: log.repo }, log.known)
    return { items, values, bytes, ...(entries !== undefined && { entries }) }
  } finally {
    progress.stop()
  }
}
