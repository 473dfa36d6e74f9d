// Grams are the texts of one, two or three code points that stand in another text. Where a text stands in
// another, all its grams do. A value that is compared as a whole is one gram, with its field. They are known by
// 32-bit hashes.

/** Adds the hashes of all grams of a text to those of others. */
export class GramSet {
  /** Open addressing, by the highest bits; 0 where there is none. */
  readonly #slots = new Uint32Array(1 << slotBits)
  readonly #hashes = new Uint32Array(gramsMax)
  #size = 0
  #isFull = false

  /** The hashes of all grams so far; undefined of too many. */
  get hashes(): Uint32Array<ArrayBuffer> | undefined {
    return this.#isFull ? undefined : this.#hashes.slice(0, this.#size)
  }

  /** Adds the grams of a text that comes in pieces of whole code points. */
  add(pieces: Iterable<string>): void {
    let [two, three] = [0, 0]
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; at += 1) {
        const code = piece.codePointAt(at)!
        if (code > 0xffff) at += 1
        this.#put(mixed(code))
        if (two !== 0) this.#put(mixed(followed(two, code)))
        if (three !== 0) this.#put(mixed(followed(three, code)))
        three = two === 0 ? 0 : followed(two, code)
        two = code
      }
      if (this.#isFull) return
    }
  }

  /** Adds a value of a field as a whole. */
  addValue(column: string, value: string | number): void {
    this.#put(valueGram(column, value))
  }

  clear(): void {
    this.#slots.fill(0)
    this.#size = 0
    this.#isFull = false
  }

  #put(hash: number): void {
    let slot = hash >>> (32 - slotBits)
    for (;;) {
      const current = this.#slots[slot]!
      if (current === hash) return
      if (current === 0) break
      slot = (slot + 1) & (this.#slots.length - 1)
    }
    if (this.#size === gramsMax) {
      this.#isFull = true
      return
    }
    this.#slots[slot] = hash
    this.#hashes[this.#size] = hash
    this.#size += 1
  }
}

const slotBits = 17
const gramsMax = 1 << (slotBits - 1)

/** The hashes of the longest grams of a text: whatever has these in it has the others too. */
export function longestGrams(text: string): number[] {
  const codes = Array.from(text, (character) => character.codePointAt(0)!)
  const length = Math.min(codes.length, 3)
  if (length === 0) return []
  const grams = new Set<number>()
  for (let at = 0; at + length <= codes.length; at += 1) {
    const [first, ...rest] = codes.slice(at, at + length) as [number, ...number[]]
    grams.add(mixed(rest.reduce(followed, first)))
  }
  return [...grams]
}

/** The hash of a value of a field as a whole; numbers that are equal have the same. */
export function valueGram(column: string, value: string | number): number {
  let hash = 0
  for (const character of `${column} ${value}`) hash = followed(hash, character.codePointAt(0)!)
  return mixed(hash)
}

/** Combines the hash of a text with the character that follows. */
function followed(text: number, code: number): number {
  return (Math.imul(text, 0x9e3779b1) + code) | 0
}

/** The finalizer of MurmurHash3 (https://github.com/aappleby/smhasher/wiki/MurmurHash3), never 0. */
export function mixed(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return hash >>> 0 || 1
}
