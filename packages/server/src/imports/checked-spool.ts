// Runs on the main thread.

import type { Refusal } from '@vitrine/contract'
import { freeBytes } from '../runtime/gc.ts'
import { exposeBlobs } from '../blobs/expose-blobs.ts'
import { insertImportBlobs } from '../store/import-blobs.ts'
import { insertRefusals } from '../store/import-refusals.ts'
import { updateImport, type ImportChanges } from '../store/imports.ts'
import type { ImportContext } from './import-context.ts'
import type { Transaction } from '../store/store.ts'

/** Gathered to so many bytes, or so many refusals, for one write. */
const partBytes = 2 * 1024 ** 2
const partRefusals = 5000

type Gathered = { chunks: Uint8Array[]; rows: number; refusals: Refusal[] }

/** Keeps checked rows and refusals until the import is published or has failed. */
export class CheckedSpool {
  readonly #context: ImportContext
  readonly #importId: number
  #chunks: Uint8Array[] = []
  #bytes = 0
  #start = 0
  #rows = 0
  #refusals: Refusal[] = []
  #refusalsKept = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(context: ImportContext, importId: number) {
    this.#context = context
    this.#importId = importId
  }

  add({ checked, rows, refusals }: Omit<Gathered, 'chunks'> & { checked: Uint8Array }): void {
    if (rows > 0) this.#chunks.push(checked)
    this.#bytes += checked.length
    this.#rows += rows
    for (const refusal of refusals) this.#refusals.push(refusal)
  }

  get isFull(): boolean {
    return this.#bytes >= partBytes || this.#refusals.length >= partRefusals
  }

  /**
   * Begins to write what was gathered, and how far the import is with it, once what was gathered before is
   * written; rejects where that has failed.
   */
  async flush(progress: ImportChanges): Promise<void> {
    await this.#writing
    const gathered = { chunks: this.#chunks, rows: this.#rows, refusals: this.#refusals }
    this.#chunks = []
    this.#bytes = 0
    this.#rows = 0
    this.#refusals = []
    this.#writing = this.#write(gathered, progress)
    // Awaited before the next one; this keeps it from counting as unhandled until then.
    this.#writing.catch(() => {})
  }

  /** Writes the rest. */
  async end(progress: ImportChanges): Promise<void> {
    await this.flush(progress)
    await this.#writing
  }

  /** Waits until nothing is being written, whatever became of it. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {})
  }

  async #write({ chunks, rows, refusals }: Gathered, progress: ImportChanges): Promise<void> {
    const { store, blobs, maxBytes } = this.#context
    const rest = await this.#writeRefusals(refusals)
    const received = chunks.length === 0 ? [] : [await blobs.receive(over(chunks), { maxBytes })]
    try {
      const takeLeases = async (transaction: Transaction) => {
        const parts = received.map(({ sha256, size }) => {
          return { kind: 'checked' as const, start: this.#start, name: null, sha256, size }
        })
        await insertImportBlobs(transaction, this.#importId, parts)
        await this.#insertRefusals(transaction, rest)
        await updateImport(transaction, this.#importId, progress)
      }
      // A check that a power cut takes begins again; what is written after it is written with all of it.
      await exposeBlobs(store, received, takeLeases, { derived: true })
    } finally {
      for (const blob of received) await blob.discard()
    }
    for (const chunk of chunks) freeBytes(chunk)
    this.#start += rows
    this.#refusalsKept += rest.length
  }

  /** Writes refusals in parts, as one block may have many; returns the last ones. */
  async #writeRefusals(refusals: Refusal[]): Promise<Refusal[]> {
    let from = 0
    for (; refusals.length - from > partRefusals; from += partRefusals) {
      const part = refusals.slice(from, from + partRefusals)
      await this.#context.store.write((transaction) => this.#insertRefusals(transaction, part))
      this.#refusalsKept += part.length
    }
    return refusals.slice(from)
  }

  async #insertRefusals(transaction: Transaction, refusals: Refusal[]): Promise<void> {
    const at = { importId: this.#importId, number: this.#refusalsKept }
    await insertRefusals(transaction, at, refusals)
  }
}

async function* over(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
