import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { serveRequests } from '../runtime/serve-requests.ts'
import type { FoldedField } from './field-fold.ts'
import { Fold, type FoldState } from './fold.ts'

// Folds items into summaries apart from the event loop, of several datasets, each by its number.

export type FoldTask =
  | { kind: 'open'; fields: FoldedField[]; state: Uint8Array | undefined }
  /** A list in JSON for each row, with commas between, in UTF-8. */
  | { kind: 'add'; bytes: Uint8Array }
  | { kind: 'peek' }
  | { kind: 'keep' }
  | { kind: 'close' }

export type FoldRequest = { number: number; task: FoldTask }
/** What is known so far, the fields as JSON; `state` where it is to be kept. */
export type Folded = { items: number; fields: string; state?: Uint8Array }

const folds = new Map<number, Fold>()

serveRequests(({ number, task }: FoldRequest): Folded | undefined => {
  const fold = folds.get(number)
  switch (task.kind) {
    case 'open': {
      const { fields, state } = task
      const known = state && (deserialize(zstdDecompressSync(state)) as FoldState)
      folds.set(number, new Fold(fields, known))
      return undefined
    }
    case 'add':
      fold!.add(JSON.parse(`[${new TextDecoder().decode(task.bytes)}]`))
      return undefined
    case 'peek':
      return foldedBy(fold!)
    case 'keep':
      return { ...foldedBy(fold!), state: zstdCompressSync(serialize(fold!.state)) }
    case 'close':
      folds.delete(number)
      return undefined
  }
})

function foldedBy(fold: Fold): Folded {
  return { items: fold.items, fields: JSON.stringify(fold.fields()) }
}
