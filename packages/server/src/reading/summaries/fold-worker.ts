import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { yieldProcessor } from '../../runtime/yield-processor.ts'
import { type FoldedField, type FoldState, Fold } from './fold.ts'

// Folds items into a summary each session, apart from the event loop.

export type FoldTask =
  | { kind: 'open'; fields: FoldedField[]; state: Uint8Array | undefined }
  /** A list in JSON for each row, with commas between, in UTF-8. */
  | { kind: 'add'; bytes: Uint8Array }
  | { kind: 'peek' }
  | { kind: 'keep' }

/** Result so far, the fields as JSON; with the `state` if it is to be stored. */
export type Folded = { items: number; fields: string; state?: Uint8Array }

yieldProcessor()
serveSessions(() => {
  let fold: Fold | undefined
  return (task: FoldTask): Folded | undefined => {
    switch (task.kind) {
      case 'open': {
        const { fields, state } = task
        const known = state && (deserialize(zstdDecompressSync(state)) as FoldState)
        fold = new Fold(fields, known)
        return undefined
      }
      case 'add':
        fold!.add(JSON.parse(`[${new TextDecoder().decode(task.bytes)}]`))
        return undefined
      case 'peek':
        return foldedBy(fold!)
      case 'keep':
        return { ...foldedBy(fold!), state: zstdCompressSync(serialize(fold!.state)) }
    }
  }
})

function foldedBy(fold: Fold): Folded {
  return { items: fold.items, fields: JSON.stringify(fold.fields()) }
}
