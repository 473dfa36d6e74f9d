import type { Item, SealedItem } from '@vitrine/contract'
import type { Snapshot } from './snapshot.ts'
import { isCaughtUp, type Standing } from './standing.ts'

/** How many of the items of its repository a view has looked at so far. */
type Progress = { scanned: number; head: number }

/** What a dataset says; with `progress` it is what was found so far, because looking takes longer. */
export type Answer<T> = {
  value: T
  progress?: Progress
  /** It will never be another: items are only ever added, and this one is full. */
  isFinal?: true
}

export type Page = { page: number; pageSize: number }

/** Reads the items of one dataset, in its order. */
export type ItemReader = {
  page: (page: Page) => Promise<Answer<Item[]>>
  /** May end early when there are more than `upTo`. */
  count: (upTo?: number) => Promise<Answer<number>>
  /** @throws Failure OVERLOADED while it is not known whether the item belongs to the dataset */
  get: (itemId: number) => Promise<Answer<SealedItem | undefined>>
  /** The same item with one field only. */
  getField: (fieldName: string, itemId: number) => Promise<SealedItem | undefined>
  /** Whether an item is there, by what is known without looking further. */
  has: (itemId: number) => Promise<boolean>
  /**
   * All items as they are now, to be read from a position on.
   * @throws Failure OVERLOADED when it takes too long to find out which there are
   */
  snapshot: (from: number) => Promise<Snapshot>
}

/** How long reads wait for a view to be caught up, in milliseconds. */
export type Budgets = {
  /** Of a page or a count, which can be partial. */
  partial: number
  /** Of one item, which is there or not. */
  whole: number
  /** How long a preview looks at items. */
  preview: number
}

export const usualBudgets: Budgets = { partial: 250, whole: 10_000, preview: 300 }

/** An answer from a listing as it stands, which says so where that is not all. */
export function answer<T>(value: T, standing: Standing): Answer<T> {
  const { head } = standing
  if (isCaughtUp(standing, head)) return { value }
  const { scanned = 0 } = standing.current ?? standing.building ?? {}
  return { value, progress: { scanned: Math.min(scanned, head), head } }
}

/** An answer that will never be another once it is full. */
export function answerOnce<T>(value: T, isFull: boolean): Answer<T> {
  return isFull ? { value, isFinal: true } : { value }
}
