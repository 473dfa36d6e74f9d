import { hash } from 'node:crypto'
import { type Client, exportDataset } from '@vitrine/client'
import { textOf } from '@vitrine/rows/text-of'
import type { ShownField } from '@vitrine/contract'
import { showTransfer } from '../transfer-progress.ts'
import { readValue, type Value } from './read-value.ts'
import { type Row, rowsOf } from './rows-of.ts'
import type { Verified, VerifyOptions } from './verified.ts'

/** Downloads of binary values that run at once. */
const inFlight = 8

/** By the digest of bytes that were read before: what is wrong with them, or undefined. */
export type Seen = Map<string, Promise<string | undefined>>

/**
 * Reads every value of a dataset and compares its digest with the one that it was committed with. It goes
 * on after damage, and names each value that has it; equal bytes are read once.
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
    silenceMs,
  }: VerifyOptions & { seen: Seen; silenceMs?: number | undefined },
): Promise<Verified> {
  const { schema } = await client.datasetGet({ datasetId }, { signal })
  const verified = { items: 0, values: 0, bytes: 0 }
  const running = new Set<Promise<void>>()
  const progress = showTransfer(io, datasetId)
  const checkBytes = async (value: Value, sha256: string) => {
    const read = await readValue(client, value, { signal, silenceMs })
    if (!read.ok) return `cannot be read: ${read.reason}`
    verified.bytes += read.size
    progress.update(verified.bytes)
    if (read.sha256 === sha256) return undefined
    return `its bytes have the digest ${read.sha256}, not ${sha256}`
  }
  const check = async (row: Row, { name: fieldName, type }: ShownField) => {
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
    const checked = seen.get(sha256) ?? checkBytes({ datasetId, itemId, fieldName }, sha256)
    seen.set(sha256, checked)
    const damage = await checked
    if (damage !== undefined) tell(damage)
  }
  try {
    const bytes = exportDataset(client, datasetId, { format: 'ndjson', integrity: true, signal })
    for await (const row of rowsOf(bytes)) {
      verified.items += 1
      progress.note(`${verified.items.toLocaleString('en')} items`)
      for (const field of schema) {
        const checking = check(row, field).finally(() => running.delete(checking))
        running.add(checking)
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
