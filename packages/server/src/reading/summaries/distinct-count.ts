/** Bits of a hash that choose a register: 2^15 of them err by 0.46 % (one standard deviation). */
const indexBits = 15
const registerCount = 2 ** indexBits
/** Bits of a hash beyond these. */
const restBits = 53 - indexBits

/** State of a count, to resume from. */
export type DistinctState = { registers: Uint8Array; open: number; estimate: number }

/**
 * Estimates how many different values there are: HyperLogLog with the estimator of its history, which
 * needs one stream and no correction (Ting, "Streamed approximate counting of distinct elements", 2014,
 * and Cohen, "All-distances sketches, revisited", 2014).
 */
export class DistinctCount {
  readonly state: DistinctState

  constructor(
    state: DistinctState = {
      registers: new Uint8Array(registerCount),
      open: registerCount,
      estimate: 0,
    },
  ) {
    this.state = state
  }

  add(value: string | number): void {
    const hash = hashOf(String(value))
    const index = hash % registerCount
    const rank = restBits - Math.floor(Math.log2(Math.floor(hash / registerCount) + 0.5))
    const { state } = this
    const register = state.registers[index]!
    if (rank <= register) return
    // A value that was not there yet had this chance to change anything.
    state.estimate += registerCount / state.open
    state.open += 2 ** -rank - 2 ** -register
    state.registers[index] = rank
  }

  get estimate(): number {
    return Math.round(this.state.estimate)
  }
}

/** A hash of 53 bits: two of 32 that are mixed as MurmurHash3 does at its end. */
export function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  a = mix(a ^ (b >>> 15))
  b = mix(b ^ a)
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0)
}

function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
