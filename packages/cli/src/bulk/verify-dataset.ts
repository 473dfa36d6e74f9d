import { createHash, hash } from 'node:crypto'
import { ApiError, type Client, exportDataset, openReply } from '@vitrine/client'
import { textOf } from '@vitrine/client/rows/text-of.ts'
import type { ShownField } from '@vitrine/contract'
import { CommandError } from '../command.ts'
import { showTransfer } from '../transfer-progress.ts'
import { type Row, rowsOf } from './rows-of.ts'
import type { Verified, VerifyOptions } from './verified.ts'

/** Downloads of binary values that run at once, and tries of each. */
const inFlight = 8
const triesMax = 3

/**
 * Reads every value of a dataset and compares its digest with the one that it was committed with.
 * @param seen digests whose bytes were read and are right; they are not read again
 */
export async function verifyDataset(
  client: Client,
  datasetId: string,
  { seen, signal, onDamage }: VerifyOptions & { seen: Set<string> },
): Promise<Verified> {
  const { schema } = await client.datasetGet({ datasetId }, { signal })
  const verified = { items: 0, values: 0, bytes: 0 }
  const running = new Set<Promise<void>>()
  const progress = showTransfer(datasetId)
  const look = async (row: Row, field: ShownField) => {
    const { name: fieldName, type } = field
    const value = row[fieldName]
    if (value === undefined) return
    const itemId = row['id'] as number
    const sha256 = row[`${fieldName}.sha256`]
    const tell = (what: string) => onDamage({ item: itemId, field: fieldName, what })
    verified.values += 1
    if (typeof sha256 !== 'string') return tell('has no digest')
    if (type !== 'binary') {
      const text = textOf(value)!
      verified.bytes += Buffer.byteLength(text)
      if (hash('sha256', text) !== sha256) tell(`is not what has the digest ${sha256}`)
      return
    }
    if (seen.has(sha256)) return
    seen.add(sha256)
    const read = await digestOf(client, { datasetId, itemId, fieldName }, signal)
    if (typeof read === 'string') return tell(read)
    verified.bytes += read.size
    progress.update(verified.bytes)
    if (read.sha256 !== sha256) tell(`its bytes have the digest ${read.sha256}, not ${sha256}`)
  }
  try {
    const bytes = exportDataset(client, datasetId, { format: 'ndjson', integrity: true, signal })
    for await (const row of rowsOf(bytes)) {
      verified.items += 1
      progress.note(`${verified.items.toLocaleString('en')} items`)
      for (const field of schema) {
        const looking = look(row, field).finally(() => running.delete(looking))
        running.add(looking)
      }
      while (running.size >= inFlight) await Promise.race(running)
    }
    await Promise.all(running)
    return verified
  } finally {
    await Promise.allSettled(running)
    progress.stop()
  }
}

type Value = { datasetId: string; itemId: number; fieldName: string }

/** The digest of a value's bytes as they are served, or why they cannot be. */
async function digestOf(
  client: Client,
  value: Value,
  signal: AbortSignal,
): Promise<{ sha256: string; size: number } | string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await openReply(client, 'datasetFieldGet', value, { signal })
      const digest = createHash('sha256')
      let size = 0
      for await (const bytes of response.body!) {
        digest.update(bytes)
        size += bytes.length
      }
      return { sha256: digest.digest('hex'), size }
    } catch (error) {
      if (signal.aborted) throw error
      const answered = error instanceof ApiError && !error.lost
      // What the server cannot read is damaged; anything else is in the way of finding out.
      if (answered && error.status === 500) return 'the server cannot read its bytes'
      if (answered) throw error
      if (tries >= triesMax) {
        const { baseUrl } = client.options
        throw new CommandError(`The connection to ${baseUrl} failed. Try again.`, {
          cause: error,
          exitCode: 7,
        })
      }
    }
  }
}
