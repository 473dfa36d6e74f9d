/** Ids of items, which are nearly without gaps: a bit for each up to the largest. */
export class IdSet {
  #bits = new Uint8Array(64)

  add(id: number): void {
    const at = Math.floor(id / 8)
    if (at >= this.#bits.length) {
      const bits = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      bits.set(this.#bits)
      this.#bits = bits
    }
    this.#bits[at]! |= 1 << (id % 8)
  }

  has(id: number): boolean {
    return ((this.#bits[Math.floor(id / 8)] ?? 0) & (1 << (id % 8))) !== 0
  }
}
