import type {
  DatasetGrowth,
  Item,
  ItemNeighbours,
  ScanProgress,
  SealedItem,
} from '@vitrine/contract'
import type { ReadOptions } from '../listings/catch-up.ts'
import { scanProgressOf, type ListingProgress } from '../listings/listing-progress.ts'
import type { StateSnapshot } from './snapshot.ts'

/** A value read from a dataset. With `progress` it is a part, because the caller accepted one. */
export type ReadResult<T> = {
  value: T
  progress?: ScanProgress
  /** It will never be another: items are only ever added, and this one is full. */
  isFinal?: true
}

/** Page of items, and the code points at which their texts are cut off; whole texts when left out. */
export type Page = { page: number; pageSize: number; cut?: number | undefined }

/** One field of the items, and the code points at which its text is cut off; all when left out. */
export type ShownPart = { only?: string | undefined; cut?: number | undefined }

/** Reads the items of one dataset, in its order. @throws Failure VIEW_NOT_READY */
export type ItemReader = {
  page: (page: Page, options?: ReadOptions) => Promise<ReadResult<Item[]>>
  /** May end early when there are more than `upTo`. */
  count: (options?: ReadOptions, upTo?: number) => Promise<ReadResult<number>>
  /** When the newest item was committed, in milliseconds; undefined where there is none, or it is not known. */
  addedAt: (options?: ReadOptions) => Promise<number | undefined>
  /** Growth over time; no points for a sorted listing that is filtered or limited, which has no commit order. */
  growth: (options?: ReadOptions) => Promise<ReadResult<DatasetGrowth>>
  /** Reads an item. Seals of texts that are cut off are those of the whole. */
  get: (
    itemId: number,
    options?: ReadOptions,
    cut?: number,
  ) => Promise<ReadResult<SealedItem | undefined>>
  /** Reads the items before and after an item; undefined where that is not among them. */
  neighbours: (itemId: number, options?: ReadOptions) => Promise<ItemNeighbours | undefined>
  /** Reads an item with one field only. */
  getField: (
    fieldName: string,
    itemId: number,
    options?: ReadOptions,
  ) => Promise<SealedItem | undefined>
  /** Whether an item is there, by what is known without looking further. */
  has: (itemId: number) => Promise<boolean>
  /** All items as they are now, to be read from a position on. */
  snapshot: (from: number, options?: ReadOptions) => Promise<StateSnapshot>
  /** Table of the items as they are now. */
  members: (options?: ReadOptions) => Promise<Members>
}

/**
 * Table with the positions in the repository of the items of a dataset. Of a `plain` sequence it is the first `count` of
 * a listing of members, or of the repository itself; of an `ordered` one the keys of a listing up to a bound. With
 * `currentAt` they are those of them that hold in that state.
 */
export type Members = { currentAt?: number | undefined } & (
  | { kind: 'plain'; listingId: number | undefined; count: number }
  | { kind: 'ordered'; listingId: number; head: number; bound: Uint8Array | undefined }
)

/** Returns a value, with the progress of the view where the value is not whole. */
export function readResult<T>(
  value: T,
  progress: ListingProgress,
  isWhole: boolean,
): ReadResult<T> {
  return isWhole || progress.head === 0 ? { value } : { value, progress: scanProgressOf(progress) }
}

export function neighbours(previous: number | undefined, next: number | undefined): ItemNeighbours {
  return { ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) }
}

/** A result that will never be another once it is full. */
export function finalResult<T>(value: T, isFull: boolean): ReadResult<T> {
  return isFull ? { value, isFinal: true } : { value }
}
