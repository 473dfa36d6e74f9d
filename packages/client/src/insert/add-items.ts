import {
  type ErrorBody,
  type ErrorCode,
  type ItemAddition,
  type ItemValue,
  errors,
  limits,
  toHex,
  valueBytes,
} from '@vitrine/contract'
import { ApiError } from '../call/api-error.ts'
import type { Client } from '../call/client.ts'
import { sha256 } from '../sha256.ts'

/** Result of adding an item: its id, or why it was refused. */
export type AddedItem = { id: number } | { error: ApiError }

/** The body of a request is kept below this, in bytes, so that the server's bound is never met. */
const batchBytes = limits.addedItemsBytes / 2

/**
 * Adds items of texts, numbers, truth values, ids and JSON, many in one request, and says of each what became of it,
 * in their order. Those of one request are added side by side. For files there is `addItem`, and for very many rows,
 * all or none, `importFile`. The server announces this by `add-items`.
 *
 * @throws ApiError when a request fails as a whole; those before it were added
 */
export async function* addItems(
  client: Client,
  repo: string,
  items: Iterable<Record<string, ItemValue>> | AsyncIterable<Record<string, ItemValue>>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<AddedItem, void, undefined> {
  for await (const batch of batches(items, signal)) {
    const body = { items: batch }
    const added = await client.itemAddMany({ datasetId: repo, body }, { signal })
    for (const each of added.items) {
      yield 'id' in each ? { id: each.id } : { error: toError(each.error) }
    }
  }
}

async function* batches(
  items: Iterable<Record<string, ItemValue>> | AsyncIterable<Record<string, ItemValue>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ItemAddition[], void, undefined> {
  let batch: ItemAddition[] = []
  let bytes = 0
  for await (const values of items) {
    const addition = await toAddition(values, signal)
    const size = new TextEncoder().encode(JSON.stringify(addition)).length
    if (batch.length === limits.addedItems || (batch.length > 0 && bytes + size > batchBytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(addition)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

async function toAddition(
  values: Record<string, ItemValue>,
  signal: AbortSignal | undefined,
): Promise<ItemAddition> {
  const addition: ItemAddition = {
    key: toHex(crypto.getRandomValues(new Uint8Array(16))),
    values: {},
    integrity: {},
  }
  for (const [name, value] of Object.entries(values)) {
    const bytes = valueBytes(value)
    addition.values[name] = new TextDecoder().decode(bytes)
    const digest = await sha256(new Blob([bytes]), { signal, onProgress: () => {} })
    addition.integrity[name] = { sha256: digest }
  }
  return addition
}

function toError(body: ErrorBody): ApiError {
  const definition = (errors as Record<string, { status: number }>)[body.code as ErrorCode]
  return new ApiError(body.message, { body, status: definition?.status ?? 500 })
}
