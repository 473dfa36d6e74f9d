/**
 * SHA-256 (FIPS 180-4) of four short messages at once, one in each lane of a vector register. Of values
 * of a few bytes, a call of `node:crypto` for each takes ten times as long as what it computes.
 */

/** A message has to fit into one block with its padding: so many bytes at most. */
export const laneBytesMax = 55
export const laneCount = 4

/** Words of a block and of a digest, big-endian; those of the lanes lie side by side. */
const blockWords = 16
const digestWords = 8
const digestAt = blockWords * laneCount

export type Lanes = {
  /** Puts a message of `length` bytes into a lane; `byteAt` is asked for each in turn. */
  put: (lane: number, bytes: ArrayLike<number>, from: number, length: number) => void
  /** Hashes what was put into the lanes. */
  hash: () => void
  /** Writes the digest of a lane in hex. */
  writeHex: (lane: number, into: Uint8Array, at: number) => void
}

export function openLanes(): Lanes {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble()))
  const { memory, hash } = exports as { memory: WebAssembly.Memory; hash: () => void }
  const words = new Uint32Array(memory.buffer)
  return {
    hash,
    put: (lane, bytes, from, length) => {
      let at = lane
      let word = 0
      for (let index = 0; index < length; index += 1) {
        word = (word << 8) | bytes[from + index]!
        if ((index & 3) === 3) {
          words[at] = word
          at += laneCount
          word = 0
        }
      }
      // A bit that is set ends the message, and its length in bits ends the block.
      words[at] = ((word << 8) | 0x80) << (8 * (3 - (length & 3)))
      for (at += laneCount; at < digestAt - laneCount; at += laneCount) words[at] = 0
      words[digestAt - laneCount + lane] = length * 8
    },
    writeHex: (lane, into, to) => {
      let at = to
      for (let index = 0; index < digestWords; index += 1) {
        const word = words[digestAt + index * laneCount + lane]!
        for (let shift = 28; shift >= 0; shift -= 4) into[at++] = hexDigits[(word >>> shift) & 15]!
      }
    },
  }
}

const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

const primes = Array.from({ length: 312 }, (_, number) => number).filter((number) => {
  for (let factor = 2; factor * factor <= number; factor += 1)
    if (number % factor === 0) return false
  return number > 1
})

/** FIPS 180-4 §4.2.2 and §5.3.3: the first 32 bits after the point of roots of the first primes. */
const fraction = (root: number) => Math.floor((root % 1) * 2 ** 32)
const roundConstants = primes.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)))
const initialState = primes.slice(0, digestWords).map((prime) => fraction(Math.sqrt(prime)))

// https://webassembly.github.io/spec/core/binary/: each instruction is a list of bytes.

type Code = number[]

const vector = (code: number, ...rest: number[]): Code =>
  code < 0x80 ? [0xfd, code, ...rest] : [0xfd, code, 0x01, ...rest]
const both = (x: Code, y: Code, operation: Code): Code => [...x, ...y, ...operation]

const add = (x: Code, y: Code) => both(x, y, vector(0xae))
const xor = (x: Code, y: Code) => both(x, y, vector(0x51))
const or = (x: Code, y: Code) => both(x, y, vector(0x50))
/** Bits of `x` where those of `mask` are set, else those of `y`. */
const select = (x: Code, y: Code, mask: Code) => [...x, ...y, ...mask, ...vector(0x52)]
const shiftRight = (x: Code, bits: number) => [...x, 0x41, bits, ...vector(0xad)]
const shiftLeft = (x: Code, bits: number) => [...x, 0x41, bits, ...vector(0xab)]
const rotate = (x: Code, bits: number) => or(shiftRight(x, bits), shiftLeft(x, 32 - bits))
const constant = (word: number) => {
  const bytes = [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]
  return vector(0x0c, ...bytes, ...bytes, ...bytes, ...bytes)
}
const get = (local: number): Code => [0x20, local]
const set = (local: number, value: Code): Code => [...value, 0x21, local]
const unsigned = (number: number): Code =>
  number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...unsigned(number >>> 7)]
const alignment = 4
const load = (word: number) => [0x41, 0, ...vector(0x00, alignment, ...unsigned(word * 16))]
const store = (word: number, value: Code) => [
  0x41,
  0,
  ...value,
  ...vector(0x0b, alignment, ...unsigned(word * 16)),
]

/** FIPS 180-4 §6.2.2, all rounds one after the other. */
function compress(): Code {
  const state = Array.from({ length: digestWords }, (_, index) => index)
  const schedule = (round: number) => digestWords + (round % blockWords)
  const code: Code = []
  for (const local of state) code.push(...set(local, constant(initialState[local]!)))
  for (let word = 0; word < blockWords; word += 1) code.push(...set(schedule(word), load(word)))
  for (let round = 0; round < roundConstants.length; round += 1) {
    const word = get(schedule(round))
    if (round >= blockWords) {
      const early = get(schedule(round + 1))
      const late = get(schedule(round + 14))
      const small0 = xor(xor(rotate(early, 7), rotate(early, 18)), shiftRight(early, 3))
      const small1 = xor(xor(rotate(late, 17), rotate(late, 19)), shiftRight(late, 10))
      const next = add(add(word, get(schedule(round + 9))), add(small0, small1))
      code.push(...set(schedule(round), next))
    }
    const [a, b, c, d, e, f, g, h] = state.map(get) as [
      Code,
      Code,
      Code,
      Code,
      Code,
      Code,
      Code,
      Code,
    ]
    const big1 = xor(xor(rotate(e, 6), rotate(e, 11)), rotate(e, 25))
    const choice = add(select(f, g, e), add(word, constant(roundConstants[round]!)))
    const big0 = xor(xor(rotate(a, 2), rotate(a, 13)), rotate(a, 22))
    const majority = select(c, b, xor(a, b))
    code.push(...set(state[7]!, add(add(h, big1), choice)))
    code.push(...set(state[3]!, add(d, h)))
    code.push(...set(state[7]!, add(h, add(big0, majority))))
    state.unshift(state.pop()!)
  }
  for (const [index, local] of state.entries()) {
    const sum = add(get(local), constant(initialState[index]!))
    code.push(...store(blockWords + index, sum))
  }
  return code
}

/** A module with one page of memory and one function, `hash`. */
function assemble(): Uint8Array<ArrayBuffer> {
  const text = (name: string) => [name.length, ...Buffer.from(name)]
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content]
  const v128 = 0x7b
  const body = [1, digestWords + blockWords, v128, ...compress(), 0x0b]
  return Uint8Array.from([
    ...Buffer.from('\0asm\u0001\0\0\0'),
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...text('memory'), 2, 0, ...text('hash'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}
