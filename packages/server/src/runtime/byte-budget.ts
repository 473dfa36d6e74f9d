/** Bytes of memory that may be in use at once; who wants more waits for its turn. */
export class ByteBudget {
  #free: number
  readonly #total: number
  readonly #waiting: { bytes: number; go: () => void }[] = []

  constructor(total: number) {
    this.#total = total
    this.#free = total
  }

  /** Takes so many bytes, or all there are, until it is disposed of. */
  async take(bytes: number): Promise<Disposable> {
    const taken = Math.min(bytes, this.#total)
    await new Promise<void>((go) => {
      this.#waiting.push({ bytes: taken, go })
      this.#admit()
    })
    return {
      [Symbol.dispose]: () => {
        this.#free += taken
        this.#admit()
      },
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (next.bytes > this.#free) return
      this.#free -= next.bytes
      this.#waiting.shift()
      next.go()
    }
  }
}
