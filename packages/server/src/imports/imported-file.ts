import type { Readable } from 'node:stream'
import type { Blobs } from '../blobs/blobs.ts'
import { freeChunks } from '../runtime/gc.ts'
import { listImportBlobs, type ImportBlob } from '../store/import-blobs.ts'
import type { Db } from '../store/store.ts'

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
