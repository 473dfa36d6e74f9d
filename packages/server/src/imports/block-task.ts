import type { ParquetShape } from '@vitrine/rows/parquet-file'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { RowRange } from './rows/block.ts'
import type { Needs, Resolution } from './rows/resolution.ts'

// What passes between the threads that check blocks and the one that knows what is kept.

/** How the blocks are read that come next, and blocks; or a Parquet file whose shape is asked for. */
export type BlockTask =
  | { kind: 'config'; config: BlockConfig }
  | { kind: 'block'; content: Uint8Array | RowRange }
  | { kind: 'describe'; fileBytes: number }

/** Questions of a thread that checks a block, and the replies. */
export type BlockQuestion =
  { kind: 'needs'; needs: Needs } | { kind: 'read'; start: number; end: number }
export type BlockReply =
  { kind: 'resolved'; resolution: Resolution } | { kind: 'bytes'; bytes: ArrayBuffer }

export type BlockAnswer =
  | { kind: 'checked'; block: CheckedBlock }
  | { kind: 'described'; shape: ParquetShape }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'failed'; message: string }
export type BlockMessage = BlockAnswer | BlockQuestion
