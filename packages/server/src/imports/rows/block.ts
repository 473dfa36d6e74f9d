import type { TextBlock } from '@vitrine/rows/cut-blocks'

/** Rows that are checked together: their text, or which rows of a file that is not read in its order. */
export type Block = Omit<TextBlock, 'content'> & { content: TextBlock['content'] | RowRange }

/** Rows of a group of rows, which are decoded together; the last ones are left out. */
export type RowRange = { group: { from: number; to: number }; from: number; to: number }
