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
