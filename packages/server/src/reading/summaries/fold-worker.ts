import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { parseRowLists } from '@vitrine/rows/write/row-lists'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { yieldProcessor } from '../../runtime/yield-processor.ts'
import type { SnapshotRows } from '../snapshot.ts'
import { type FoldedField, type FoldState, Fold } from './fold.ts'

// Folds items into a summary each session, apart from the event loop.

export type FoldTasks = {
  open: (task: { fields: FoldedField[]; state: Uint8Array | undefined }) => void
  add: (rows: SnapshotRows) => void
  peek: () => Folded
  keep: () => FoldedState
}

/** Result so far, the fields as JSON. */
export type Folded = { items: number; fields: string }
/** Result so far, with the state to resume from. */
export type FoldedState = Folded & { state: Uint8Array }

yieldProcessor()
serveSessions<FoldTasks>(() => {
  let fold: Fold | undefined
  return {
    open: ({ fields, state }) => {
      fold = new Fold(fields, state && (deserialize(zstdDecompressSync(state)) as FoldState))
    },
    add: (rows) => fold!.add(parseRowLists(rows)),
    peek: () => foldedBy(fold!),
    keep: () => ({ ...foldedBy(fold!), state: zstdCompressSync(serialize(fold!.state)) }),
  }
})

function foldedBy(fold: Fold): Folded {
  return { items: fold.items, fields: JSON.stringify(fold.fields()) }
}
