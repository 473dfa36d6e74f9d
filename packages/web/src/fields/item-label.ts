import type { DatasetInfo, Item } from '@vitrine/contract'

/** What people would call an item: its first text that says something. */
export function itemLabel(
  dataset: DatasetInfo | undefined,
  item: Item | undefined,
): string | undefined {
  return dataset?.schema
    .filter(({ type }) => type === 'string')
    .map(({ name }) => item?.data[name])
    .find((value) => typeof value === 'string' && value.trim() !== '')
    ?.toString()
}
