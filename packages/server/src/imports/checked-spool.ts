import type { Refusal } from '@vitrine/contract'
import { freeBytes } from '../free-bytes.ts'
import { exposeBlobs } from '../items/expose-blobs.ts'
import { insertImportBlobs } from '../store/import-blobs.ts'
import { insertRefusals } from '../store/import-refusals.ts'
import { updateImport, type ImportChanges } from '../store/imports.ts'
import type { Importing } from './importing.ts'

/** Gathered to so many bytes, or so many refusals, for one write. */
const partBytes = 2 * 1024 ** 2
const partRefusals = 5000

/** Keeps checked rows and refusals until the import is published or has failed. */
export class CheckedSpool {
  readonly #importing: Importing
  readonly #importId: number
  #chunks: Uint8Array[] = []
  #bytes = 0
  #start = 0
  #rows = 0
  #refusals: Refusal[] = []
  #refusalsKept = 0

  constructor(importing: Importing, importId: number) {
    this.#importing = importing
    this.#importId = importId
  }

  add({
    checked,
    rows,
    refusals,
  }: {
    checked: Uint8Array
    rows: number
    refusals: Refusal[]
  }): void {
    if (rows > 0) this.#chunks.push(checked)
    this.#bytes += checked.length
    this.#rows += rows
    this.#refusals.push(...refusals)
  }

  get isFull(): boolean {
    return this.#bytes >= partBytes || this.#refusals.length >= partRefusals
  }

  /** Writes what was gathered, and how far the import is with it. */
  async flush(progress: ImportChanges): Promise<void> {
    const { store, blobs, maxBytes } = this.#importing
    const chunks = this.#chunks
    const rows = this.#rows
    const refusals = this.#refusals
    const received = chunks.length === 0 ? [] : [await blobs.receive(over(chunks), { maxBytes })]
    try {
      await exposeBlobs(store, received, async (transaction) => {
        const parts = received.map(({ sha256, size }) => {
          return { kind: 'checked' as const, start: this.#start, name: null, sha256, size }
        })
        await insertImportBlobs(transaction, this.#importId, parts)
        const at = { importId: this.#importId, number: this.#refusalsKept }
        await insertRefusals(transaction, at, refusals)
        await updateImport(transaction, this.#importId, progress)
      })
    } finally {
      for (const blob of received) await blob.discard()
    }
    for (const chunk of chunks) freeBytes(chunk)
    this.#start += rows
    this.#refusalsKept += refusals.length
    this.#chunks = []
    this.#bytes = 0
    this.#rows = 0
    this.#refusals = []
  }
}

async function* over(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
