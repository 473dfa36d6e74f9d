import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Rows in a file of this computer until they are imported, as how long they are has to be known before. */
export class SpooledRows {
  /** The ids that the rows had. */
  ids: number[] = []
  /** The digests of the files that they name. */
  files = new Set<string>()
  bytes = 0
  readonly #path: string
  #file: WriteStream | undefined

  constructor(path: string) {
    this.#path = path
  }

  async add(row: object, { id, files }: { id: number; files: readonly string[] }): Promise<void> {
    this.#file ??= createWriteStream(this.#path)
    const line = Buffer.from(`${JSON.stringify(row)}\n`)
    this.ids.push(id)
    for (const sha256 of files) this.files.add(sha256)
    this.bytes += line.length
    if (!this.#file.write(line)) await once(this.#file, 'drain')
  }

  /** Reads what was added, after which nothing is. */
  async *read(): AsyncGenerator<Uint8Array> {
    this.#file!.end()
    await finished(this.#file!)
    yield* createReadStream(this.#path) as AsyncIterable<Uint8Array>
  }
}
