/** Pictures that were asked for last, of at most so many bytes together. */
export class KeptPictures {
  readonly #bytesMax: number
  readonly #byKey = new Map<string, Buffer>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  find(key: string): Buffer | undefined {
    const picture = this.#byKey.get(key)
    if (picture === undefined) return undefined
    // Now the last to go.
    this.#byKey.delete(key)
    this.#byKey.set(key, picture)
    return picture
  }

  keep(key: string, picture: Buffer): void {
    // Another request may have brought the same meanwhile.
    this.#forget(key)
    this.#byKey.set(key, picture)
    this.#bytes += picture.length
    for (const first of this.#byKey.keys()) {
      if (this.#bytes <= this.#bytesMax) break
      this.#forget(first)
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#byKey.get(key)?.length ?? 0
    this.#byKey.delete(key)
  }
}
