import type { Item, Seal, ShownField } from '@vitrine/contract'

/** What the parts that show one value of an item are given. */
export type ShownValue = {
  datasetId: string
  itemId: number
  field: ShownField
  value: Item['data'][string]
  /** What the server sealed of the value, where it says so. */
  seal?: Seal | undefined
}
