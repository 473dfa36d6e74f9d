import type { ItemValue, Seal } from '@vitrine/contract'
import { fail } from '../failure.ts'
import type { DatasetReader, ReadableDataset } from '../reading/dataset-reader.ts'

/** One value of an item, as an address names it. */
export type ValuePlace = { datasetId: string; at?: number; itemId: number; fieldName: string }

type FoundValue = { field: ReadableDataset['schema'][number]; value: ItemValue; seal: Seal }

/**
 * Finds a value with its seal.
 * @throws Failure DATASET_NOT_FOUND, STATE_NOT_FOUND, FIELD_NOT_IN_SCHEMA, DATASET_OR_ITEM_NOT_FOUND
 */
export async function findValue(
  datasets: DatasetReader,
  { datasetId, at, itemId, fieldName }: ValuePlace,
  signal: () => AbortSignal,
): Promise<FoundValue> {
  const dataset = await datasets.find(datasetId, at)
  if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
  const field = dataset.schema.find(({ name }) => name === fieldName)
  if (field === undefined) throw fail('FIELD_NOT_IN_SCHEMA')
  const item = await dataset.items.getField(fieldName, itemId, { signal })
  const value = item?.data[fieldName]
  const seal = item?.integrity?.[fieldName]
  // An item without an optional value has no such resource, like an item that is not there.
  if (value === undefined || seal === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
  return { field, value, seal }
}
