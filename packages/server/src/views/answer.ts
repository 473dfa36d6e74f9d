import type { Item, ScanProgress, SealedItem } from '@vitrine/contract'
import { fail, type Failure } from '../failure.ts'
import type { Snapshot } from '../reading/snapshot.ts'
import type { Standing } from '../listings/listing-progress.ts'

/**
 * How a dataset is asked. Answers are whole: a read waits until the view has looked at all items, and
 * fails with VIEW_NOT_READY when that takes too long (docs/decisions/0120-whole-answers.md).
 */
export type Asking = {
  /** A part will do: what was found after a short wait, with how far the view has looked. */
  partial?: boolean | undefined
  /** Aborted when nobody waits for the answer any more. */
  gone?: (() => AbortSignal) | undefined
}

/** What a dataset says; with `progress` it is a part, as was asked for. */
export type Answer<T> = {
  value: T
  progress?: ScanProgress
  /** It will never be another: items are only ever added, and this one is full. */
  isFinal?: true
}

export type Page = { page: number; pageSize: number }

/** Reads the items of one dataset, in its order. @throws Failure VIEW_NOT_READY */
export type ItemReader = {
  page: (page: Page, asking?: Asking) => Promise<Answer<Item[]>>
  /** May end early when there are more than `upTo`. */
  count: (asking?: Asking, upTo?: number) => Promise<Answer<number>>
  get: (itemId: number, asking?: Asking) => Promise<Answer<SealedItem | undefined>>
  /** The same item with one field only. */
  getField: (fieldName: string, itemId: number, asking?: Asking) => Promise<SealedItem | undefined>
  /** Whether an item is there, by what is known without looking further. */
  has: (itemId: number) => Promise<boolean>
  /** All items as they are now, to be read from a position on. */
  snapshot: (from: number, asking?: Asking) => Promise<Snapshot>
}

/** How long reads wait for a view to be caught up, in milliseconds. */
export type Budgets = {
  /** Of a read that takes a part. */
  partial: number
  /** Of a read that takes a whole answer only. */
  whole: number
  /** How long a preview looks at items. */
  preview: number
}

export const usualBudgets: Budgets = { partial: 250, whole: 30_000, preview: 300 }

/** What was found, and how far the view had looked where that is not all. */
export function answer<T>(value: T, standing: Standing, isWhole: boolean): Answer<T> {
  return isWhole || standing.head === 0 ? { value } : { value, progress: progressOf(standing) }
}

/** An answer that will never be another once it is full. */
export function answerOnce<T>(value: T, isFull: boolean): Answer<T> {
  return isFull ? { value, isFinal: true } : { value }
}

export function notReady(standing: Standing): Failure {
  return fail('VIEW_NOT_READY', { progress: progressOf(standing) })
}

/** Never all of them: a view that has looked at all items may still have to put them in order. */
function progressOf({ head: total, current, building }: Standing): ScanProgress {
  const { scanned = 0 } = current ?? building ?? {}
  return { scanned: Math.max(0, Math.min(scanned, total - 1)), total }
}
