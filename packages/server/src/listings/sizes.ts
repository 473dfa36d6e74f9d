/** How finely listings are worked on. What they say does not depend on it. */
export type Sizes = {
  /** A block is cut when it has more keys than this; a rank is found by skipping at most as many. */
  blockMax: number
  /** Keys in a block that was just cut. */
  block: number
  /** Up to so many keys are put into order in the write that found the last of them. */
  sortedInPlace: number
  /** An order of a base of so many items begins to be sorted with its first window. */
  sortedEarly: number
  /** Keys written at once when there are more; whole blocks. */
  sortedBatch: number
  /** Positions looked at in one write at first, and how long one may hold the event loop. */
  window: { size: number; targetMs: number }
}

export const usualSizes: Sizes = {
  blockMax: 256,
  block: 128,
  sortedInPlace: 2000,
  sortedEarly: 50_000,
  sortedBatch: 32 * 128,
  window: { size: 4096, targetMs: 10 },
}
