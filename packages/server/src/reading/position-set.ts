/** Positions of a repository's items: a bit for each, so that those of millions of items take little memory. */
export class PositionSet {
  #bits = new Uint8Array(64)
  #count = 0
  #end = 0

  /** How many there are. */
  get count(): number {
    return this.#count
  }

  /** The one after the last. */
  get end(): number {
    return this.#end
  }

  /** Whether all positions up to the last are there. */
  get isWhole(): boolean {
    return this.#count === this.#end
  }

  /** Adds a position; false where it was there. */
  add(position: number): boolean {
    if (this.has(position)) return false
    const at = position >>> 3
    if (at >= this.#bits.length) this.#grow(at + 1)
    this.#bits[at]! |= 1 << (position & 7)
    this.#count += 1
    this.#end = Math.max(this.#end, position + 1)
    return true
  }

  /** Adds all positions up to `end`, which is left out. */
  addUpTo(end: number): void {
    for (let position = 0; position < end; position += 1) this.add(position)
  }

  has(position: number): boolean {
    return ((this.#bits[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0
  }

  /** Those from one position to another, which is left out, in order. */
  *within(from: number, to: number): Generator<number, void, undefined> {
    const end = Math.min(to, this.#end)
    for (let position = from; position < end; position += 1) {
      // Eight at once where there are none.
      if ((position & 7) === 0 && this.#bits[position >>> 3] === 0) position += 7
      else if (this.has(position)) yield position
    }
  }

  #grow(bytes: number): void {
    const bits = new Uint8Array(Math.max(bytes, this.#bits.length * 2))
    bits.set(this.#bits)
    this.#bits = bits
  }
}
