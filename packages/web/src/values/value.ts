import type { Item, Seal, ShownField } from '@vitrine/contract'
import type { ContentPlace } from './binary/Thumbnail.tsx'

/** Props of the components that show a value on an item's page. */
export type ShownValue = {
  datasetId: string
  itemId: number
  field: ShownField
  value: Item['data'][string]
  /** The digest of the value, if the server gave it. */
  seal?: Seal | undefined
}

/** Props of the table cells. */
export type CellValue = {
  field: ShownField
  value: Item['data'][string]
  /** Characters of a text of which the value is the beginning. */
  cut?: number | undefined
  /** Address of the bytes of a binary value; undefined if they cannot be loaded. */
  content: ContentPlace | undefined
  /** Folded words that were looked for in the value, to be marked. */
  words: readonly string[]
}
