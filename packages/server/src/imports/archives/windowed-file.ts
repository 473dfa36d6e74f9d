// Runs on the main thread.

import type { ImportedFile } from '../import-file.ts'

const windowBytes = 256 * 1024
/** Files unpacked side by side lie near each other, and far from the list of them all. */
const windowsKept = 4

/** Reads small ranges of a file from windows that are kept, as each read of the store costs a file opened. */
export class WindowedFile {
  readonly #file: ImportedFile
  /** By their number, the one read last at the end. */
  readonly #windows = new Map<number, Promise<Buffer>>()
  readonly size: number

  constructor(file: ImportedFile) {
    this.#file = file
    this.size = file.size
  }

  /** The bytes from `start` to `end`, the last left out, as far as the file has them. */
  async read(start: number, end: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let at = start; at < Math.min(end, this.size);) {
      const number = Math.floor(at / windowBytes)
      const window = await this.#window(number)
      const part = window.subarray(at - number * windowBytes, end - number * windowBytes)
      parts.push(part)
      at += part.length
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  /** Reads a range in chunks; one that is longer than a window is not cached. */
  async *stream(start: number, end: number): AsyncGenerator<Buffer> {
    if (end - start > windowBytes) yield* this.#file.stream(start, end)
    else yield await this.read(start, end)
  }

  #window(number: number): Promise<Buffer> {
    const start = number * windowBytes
    const end = Math.min(start + windowBytes, this.size)
    const window = this.#windows.get(number) ?? this.#file.read(start, end)
    this.#windows.delete(number)
    this.#windows.set(number, window)
    window.catch(() => this.#windows.delete(number))
    if (this.#windows.size > windowsKept) this.#windows.delete(this.#windows.keys().next().value!)
    return window
  }
}
