import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { RowRange } from './rows/cut-blocks.ts'
import type { Needs, Resolution } from './rows/resolution.ts'

// What passes between the threads that check blocks and the one that knows what is kept.

/** How the blocks are read that come next, and blocks. */
export type BlockTask =
  { kind: 'config'; config: BlockConfig } | { kind: 'block'; content: Uint8Array | RowRange }

/** What a thread asks for while it checks a block, and what it is told. */
export type BlockQuestion =
  { kind: 'needs'; needs: Needs } | { kind: 'read'; start: number; end: number }
export type BlockReply =
  { kind: 'resolved'; resolution: Resolution } | { kind: 'bytes'; bytes: ArrayBuffer }

export type BlockAnswer =
  { kind: 'checked'; block: CheckedBlock } | { kind: 'failed'; message: string }
export type BlockMessage = BlockAnswer | BlockQuestion
