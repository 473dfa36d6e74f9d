import type { ParquetShape } from '@vitrine/rows/parquet-file'
import type { SheetOptions } from '@vitrine/rows/read-workbook'
import type { WorkbookFacts } from '@vitrine/rows/row-batch'
import type { BlockConfig, CheckedBlock } from './rows/check-block.ts'
import type { RowRange } from './rows/block.ts'
import type { Needs, Resolution } from './rows/resolution.ts'

// Messages between the threads that check blocks and the one that knows what is kept.

/** Configuration of the blocks that come next, a block, a Parquet file to describe, or a workbook to unpack. */
export type BlockTask =
  | { kind: 'config'; config: BlockConfig }
  | { kind: 'block'; content: Uint8Array | RowRange }
  | { kind: 'describe'; fileBytes: number }
  | { kind: 'unpack'; fileBytes: number; options: SheetOptions }

export type BlockReply =
  | { kind: 'configured' }
  | { kind: 'checked'; block: CheckedBlock }
  | { kind: 'described'; shape: ParquetShape }
  | { kind: 'unpacked'; facts: WorkbookFacts }
  | { kind: 'unreadable'; reason: string }

/** Questions of a thread that checks a block or unpacks a workbook, and the answers. */
export type BlockQuestion =
  | { kind: 'needs'; needs: Needs }
  | { kind: 'read'; start: number; end: number }
  | { kind: 'keep'; bytes: Uint8Array }
export type BlockAnswer =
  | { kind: 'resolved'; resolution: Resolution }
  | { kind: 'bytes'; bytes: ArrayBuffer }
  | { kind: 'kept' }
