import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { yieldProcessor } from '../../runtime/yield-processor.ts'
import { type FoldedField, type FoldState, Fold } from './fold.ts'

// Folds items into a summary each session, apart from the event loop.

export type FoldTasks = {
  open: (task: { fields: FoldedField[]; state: Uint8Array | undefined }) => void
  /** A list in JSON for each row, with commas between, in UTF-8. */
  add: (bytes: Uint8Array) => void
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
    add: (bytes) => fold!.add(JSON.parse(`[${new TextDecoder().decode(bytes)}]`)),
    peek: () => foldedBy(fold!),
    keep: () => ({ ...foldedBy(fold!), state: zstdCompressSync(serialize(fold!.state)) }),
  }
})

function foldedBy(fold: Fold): Folded {
  return { items: fold.items, fields: JSON.stringify(fold.fields()) }
}
