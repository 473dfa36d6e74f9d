// Runs on the main thread.

import { digestBytes } from '../store/digest-bytes.ts'
import { shortDigits } from '../store/keyed-items.ts'

const wordDigits = 8
const wordsEach = 3
/** Marks a key that several numbers were put under. */
const several = 0xffff_ffff

/**
 * Hash table from short keys to numbers below 2^32 - 2. A key is kept as 96 bits of it, so that one of ten million takes some 30
 * bytes; where more depends on it, whoever asks compares whole keys.
 */
export class KeyTable {
  #slots: number
  #count = 0
  /** Per slot: the words of the key, and the number with 1 added; 0 of an empty slot. */
  #words: Uint32Array
  #numbers: Uint32Array

  /** @param expected how many keys there will be about */
  constructor(expected = 0) {
    this.#slots = 2 ** Math.max(10, Math.ceil(Math.log2(expected * 1.5 + 1)))
    this.#words = new Uint32Array(this.#slots * wordsEach)
    this.#numbers = new Uint32Array(this.#slots)
  }

  /** Returns the number of a key; undefined of one that is not there. */
  get(key: string): number | 'several' | undefined {
    const slot = this.#find(wordsOf(key))
    const number = this.#numbers[slot]!
    if (number === 0) return undefined
    return number === several ? 'several' : number - 1
  }

  /** Puts a number under a key, beside one that may be there. */
  add(key: string, number: number): void {
    const words = wordsOf(key)
    const slot = this.#find(words)
    if (this.#numbers[slot] !== 0) {
      this.#numbers[slot] = several
      return
    }
    this.#numbers[slot] = number + 1
    this.#words.set(words, slot * wordsEach)
    this.#count += 1
    if (this.#count * 1.25 > this.#slots) this.#grow()
  }

  /** Returns the slot of a key, or the empty one that it may take. */
  #find([a, b, c]: Words): number {
    const mask = this.#slots - 1
    for (let slot = (a ^ c) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * wordsEach
      const isHere = this.#words[at] === a && this.#words[at + 1] === b && this.#words[at + 2] === c
      if (isHere || this.#numbers[slot] === 0) return slot
    }
  }

  #grow(): void {
    const [words, numbers] = [this.#words, this.#numbers]
    this.#slots *= 2
    this.#words = new Uint32Array(this.#slots * wordsEach)
    this.#numbers = new Uint32Array(this.#slots)
    for (let slot = 0; slot < numbers.length; slot += 1) {
      if (numbers[slot] === 0) continue
      const at = slot * wordsEach
      const key = [words[at]!, words[at + 1]!, words[at + 2]!] as const
      const to = this.#find(key)
      this.#numbers[to] = numbers[slot]!
      this.#words.set(key, to * wordsEach)
    }
  }
}

type Words = readonly [number, number, number]

/** Returns 96 bits of a short key, which is the digits of an id or hexadecimal ones of digests, `shortDigits` of each. */
function wordsOf(key: string): Words {
  if (key.length < shortDigits) {
    const id = Number(key)
    return [Math.imul(id, 0x9e37_79b1) >>> 0, id >>> 0, Math.floor(id / 2 ** 32)]
  }
  if (key.length % shortDigits !== 0) throw new RangeError('not a short key')
  const words: [number, number, number] = [0, 0, 0]
  for (let at = 0; at < key.length; at += shortDigits) {
    for (let word = 0; word < wordsEach; word += 1) {
      const from = at + word * wordDigits
      const part = Number.parseInt(key.slice(from, from + wordDigits), 16)
      words[word] = (Math.imul(words[word]!, 31) + part) >>> 0
    }
  }
  return words
}

/** Returns a key with the beginning of each of its digests; an id as it is. */
export function shortKey(key: string): string {
  let short = ''
  for (let at = 0; at < key.length; at += 2 * digestBytes) short += key.slice(at, at + shortDigits)
  return short
}
