import type { Client } from '../call/client.ts'
import { type AddItemOptions, type NewValue, insertItem, toBlobs } from './add-item.ts'

/** Changes of an item, and why they are made. */
export type ItemCorrection = {
  /** The values that are other ones now; null of a field that is to have none. */
  values: Record<string, NewValue | null>
  reason: string
}

/**
 * Corrects an item by a new one, which replaces it and is sealed like any other. Values that stay are not sent. The
 * server announces this by `corrections`.
 *
 * @returns the id of the new item
 * @throws ApiError FORBIDDEN for an item of somebody else without the role of a curator, ITEM_REPLACED for one that
 *   was replaced before
 */
export async function correctItem(
  client: Client,
  repo: string,
  itemId: number,
  { values, reason }: ItemCorrection,
  options: Omit<AddItemOptions, 'oneRequest'> = {},
): Promise<number> {
  const { signal } = options
  const item = { datasetId: repo, itemId }
  const { integrity = {} } = await client.datasetItemGet(item, { signal })
  const kept = Object.fromEntries(
    Object.entries(integrity)
      .filter(([name]) => !Object.hasOwn(values, name))
      .map(([name, { sha256 }]) => [name, { sha256 }]),
  )
  const body = { reason, keep: Object.keys(kept) }
  const begin = () => client.correctionBegin({ ...item, body }, { signal })
  const sent = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  const blobs = toBlobs(Object.fromEntries(sent))
  return insertItem(client, repo, { begin, blobs, kept }, options)
}
