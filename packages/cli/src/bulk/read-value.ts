import { createHash } from 'node:crypto'
import { ApiError, type Client, openReply } from '@vitrine/client'
import { counted } from '../command/table.ts'

const triesMax = 3

/** How long a value may send no byte, in milliseconds. */
const usualSilenceMs = 30_000

/** One value of a dataset. */
export type Value = { datasetId: string; itemId: number; fieldName: string }

export type ReadValue =
  { ok: true; sha256: string; size: number } | { ok: false; bytes: number; reason: string }

/**
 * Reads the bytes of a binary value to the end and hashes them. A reply that breaks off or falls silent is
 * tried again; where that keeps happening while the server answers otherwise, the value cannot be read.
 * @throws ApiError when the server cannot be reached, or refuses
 */
export async function readValue(
  client: Client,
  value: Value,
  { signal, silenceMs = usualSilenceMs }: { signal: AbortSignal; silenceMs?: number | undefined },
): Promise<ReadValue> {
  for (let tries = 1; ; tries += 1) {
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), silenceMs)
    const digest = createHash('sha256')
    let size = 0
    try {
      const signals = AbortSignal.any([signal, silence.signal])
      const response = await openReply(client, 'datasetFieldGet', value, { signal: signals })
      for await (const bytes of response.body!) {
        digest.update(bytes)
        size += bytes.length
        timer.refresh()
      }
      return { ok: true, sha256: digest.digest('hex'), size }
    } catch (error) {
      if (signal.aborted) throw error
      const isAnswer = error instanceof ApiError && error.status > 0
      if (isAnswer && error.status !== 500) throw error
      if (isAnswer) return { ok: false, bytes: size, reason: 'the server cannot read it' }
      if (tries < triesMax) continue
      // It is the value that fails, unless this fails too.
      await client.datasetGet({ datasetId: value.datasetId }, { signal })
      const what = silence.signal.aborted
        ? `nothing came for ${silenceMs / 1000} s`
        : 'the reply broke off'
      return { ok: false, bytes: size, reason: `${what} after ${counted(size, 'byte')}` }
    } finally {
      clearTimeout(timer)
    }
  }
}
