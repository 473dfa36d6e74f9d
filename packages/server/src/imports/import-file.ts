// Runs on the main thread.

import type { Readable } from 'node:stream'
import type { Blobs } from '../blobs/blobs.ts'
import { freeChunks } from '../runtime/gc.ts'
import { type ImportBlob, insertImportBlobs, listImportBlobs } from '../store/import-blobs.ts'
import type { Db } from '../store/store.ts'
import { type ImportRow, lockImport, updateImport } from '../store/imports.ts'
import { exposeBlobs } from '../blobs/expose-blobs.ts'
import { type Failure, fail, failAt } from '../failure.ts'
import type { ImportContext } from './import-context.ts'

/** A file that an import has received, kept as parts. */
export class ImportedFile {
  readonly #blobs: Blobs
  readonly #parts: readonly ImportBlob[]
  readonly size: number

  constructor(blobs: Blobs, parts: readonly ImportBlob[]) {
    this.#blobs = blobs
    this.#parts = parts
    const last = parts.at(-1)
    this.size = last === undefined ? 0 : last.start + last.size
  }

  static async open(
    { reads, blobs }: { reads: Db; blobs: Blobs },
    importId: number,
    kind: 'sent' | 'tar' | 'workbook' | 'rows',
  ): Promise<ImportedFile> {
    return new ImportedFile(blobs, await listImportBlobs(reads, importId, kind))
  }

  /** The bytes from `start` to `end`, the last left out. */
  async *stream(start = 0, end = this.size): AsyncGenerator<Buffer> {
    for (const part of this.#parts) {
      const from = Math.max(0, start - part.start)
      const to = Math.min(part.size, end - part.start)
      if (from >= to) continue
      const bytes: Readable = await this.#blobs.open(part, { start: from, end: to - 1 })
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        yield chunk
        freeChunks(chunk.length)
      }
    }
  }

  async read(start: number, end: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of this.stream(start, end)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
}

/**
 * Appends bytes to the file of an import, as they come in: of a body that is cut off, all that came is
 * kept. `offset` says where in the file they begin; what is there already is passed over. With
 * `complete` they end the file, and so may not end before what is there.
 * @returns how many bytes the file has then
 * @throws Failure IMPORT_OFFSET, CONTENT_TOO_LARGE, STORAGE_FULL, and what reading `body` fails with
 */
export async function receiveFile(
  { store, blobs, maxBytes }: ImportContext,
  { id, received_bytes: received }: ImportRow,
  { offset, complete, body }: { offset: number; complete: boolean; body: AsyncIterable<Buffer> },
): Promise<number> {
  const incoming = new Incoming(body, received - offset)
  let start = received
  while (await incoming.hasMore()) {
    const blob = await blobs.receive(incoming.next(partBytes), { maxBytes: maxBytes - start })
    try {
      await exposeBlobs(store, [blob], async (transaction) => {
        const row = await lockImport(transaction, id)
        if (row?.state !== 'receiving' || row.received_bytes !== start) {
          throw fail('IMPORT_OFFSET', { receivedBytes: row?.received_bytes ?? 0 })
        }
        const { sha256, size } = blob
        const part = { kind: 'sent' as const, start, name: null, sha256, size }
        await insertImportBlobs(transaction, id, [part])
        await updateImport(transaction, id, { received_bytes: start + size })
      })
    } finally {
      await blob.discard()
    }
    start += blob.size
  }
  if (incoming.failure !== undefined) throw incoming.failure
  if (complete && incoming.leftToSkip > 0) {
    throw fail('IMPORT_OFFSET', { receivedBytes: received })
  }
  return start
}

/**
 * Takes the file of an import for complete.
 * @throws Failure IMPORT_OFFSET when it is already, or has grown meanwhile
 */
export async function completeFile(
  { store }: Pick<ImportContext, 'store'>,
  id: number,
  receivedBytes: number,
): Promise<void> {
  await store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state !== 'receiving' || row.received_bytes !== receivedBytes) {
      throw fail('IMPORT_OFFSET', { receivedBytes: row?.received_bytes ?? 0 })
    }
    await updateImport(transaction, id, { state: 'checking' })
  })
}

/** A file is kept in parts of at most so many bytes; what a kill loses is less than one. */
export const partBytes = 8 * 1024 ** 2

/** A body in parts. An error of it ends the last part, and is kept. */
export class Incoming {
  readonly #source: AsyncIterator<Buffer>
  #ahead: Buffer | undefined
  leftToSkip: number
  failure: unknown

  constructor(body: AsyncIterable<Buffer>, skip: number) {
    this.#source = body[Symbol.asyncIterator]()
    this.leftToSkip = skip
  }

  async hasMore(): Promise<boolean> {
    while (this.#ahead === undefined) {
      const chunk = await this.#read()
      if (chunk === undefined) return false
      const skipped = Math.min(this.leftToSkip, chunk.length)
      this.leftToSkip -= skipped
      if (skipped < chunk.length) this.#ahead = chunk.subarray(skipped)
    }
    return true
  }

  async *next(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (!(await this.hasMore())) return
      const chunk = this.#ahead!
      const taken = chunk.subarray(0, left)
      this.#ahead = taken.length < chunk.length ? chunk.subarray(taken.length) : undefined
      left -= taken.length
      yield taken
    }
  }

  async #read(): Promise<Buffer | undefined> {
    if (this.failure !== undefined) return undefined
    try {
      const { done, value } = await this.#source.next()
      return done === true ? undefined : value
    } catch (error) {
      this.failure = error
      return undefined
    }
  }
}

/** A file that is not what it is said to be; `row` is counted from 1. */
export function malformed(reason: string, row?: number): Failure {
  return failAt('IMPORT_MALFORMED', [{ path: row === undefined ? [] : [row], reason }])
}
