import type { ParquetShape } from '@vitrine/rows/parquet-file'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { RowRange } from './rows/block.ts'
import type { Needs, Resolution } from './rows/resolution.ts'

// Messages between the threads that check blocks and the one that knows what is kept.

/** Configuration of the blocks that come next, a block, or a Parquet file to describe. */
export type BlockTask =
  | { kind: 'config'; config: BlockConfig }
  | { kind: 'block'; content: Uint8Array | RowRange }
  | { kind: 'describe'; fileBytes: number }

export type BlockReply =
  | { kind: 'configured' }
  | { kind: 'checked'; block: CheckedBlock }
  | { kind: 'described'; shape: ParquetShape }
  | { kind: 'unreadable'; reason: string }

/** Questions of a thread that checks a block, and the answers. */
export type BlockQuestion =
  { kind: 'needs'; needs: Needs } | { kind: 'read'; start: number; end: number }
export type BlockAnswer =
  { kind: 'resolved'; resolution: Resolution } | { kind: 'bytes'; bytes: ArrayBuffer }
