import {
  add,
  and,
  assemble,
  constant,
  get,
  less,
  load,
  number,
  or,
  replaceWord,
  rotate,
  select,
  set,
  shiftRight,
  shuffle,
  store,
  times,
  xor,
  type Code,
} from './vector-code.ts'

/** Messages that are hashed at once, one in each lane of vectors of words. */
export const laneCount = 4

export const blockBytes = 64
const vectorBytes = 16
const digestWords = 8
const blockWords = 16

// What lies in the memory before what is hashed. At `blockBytes - length` from where it begins, the mask
// has a set byte for each of the message, and the other one the bit that ends it.
export const maskAt = 0
export const endAt = 2 * blockBytes

const primes = Array.from({ length: 312 }, (_, each) => each).filter((each) => {
  for (let factor = 2; factor * factor <= each; factor += 1) if (each % factor === 0) return false
  return each > 1
})

/** FIPS 180-4 §4.2.2 and §5.3.3: the first 32 bits after the point of roots of the first primes. */
const fraction = (root: number) => Math.floor((root % 1) * 2 ** 32)
const roundConstants = primes.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)))
const initialState = primes.slice(0, digestWords).map((prime) => fraction(Math.sqrt(prime)))

// Of the function: three parameters for each lane, and then vectors.
const fromOf = (lane: number) => get(lane * 3)
const lengthOf = (lane: number) => get(lane * 3 + 1)
const toOf = (lane: number) => get(lane * 3 + 2)
const parameters = laneCount * 3
const stateAt = parameters
const scheduleAt = stateAt + digestWords
const heldAt = scheduleAt + blockWords
const turnedAt = heldAt + laneCount
const vectors = turnedAt + laneCount - parameters

const lanes = Array.from({ length: laneCount }, (_, lane) => lane)

// Of two vectors the words one by one in turns, from the first or from the third, turned from one order
// of bytes into the other; and of two vectors their first or their second halves.
const wordsFrom = (first: number) =>
  [first, first + 4, first + 1, first + 5].flatMap((word) =>
    [3, 2, 1, 0].map((byte) => (word % 4) * 4 + byte + (word - first >= 4 ? vectorBytes : 0)),
  )
const half = (which: 0 | 1) =>
  [0, vectorBytes].flatMap((vector) =>
    Array.from({ length: 8 }, (_, byte) => vector + which * 8 + byte),
  )

/** Makes vectors of words that are alike of vectors of one lane each, or the other way round. */
function transpose(sources: readonly Code[], targets: readonly number[]): Code {
  const [x, y, z, w] = sources as [Code, Code, Code, Code]
  const turned = lanes.map((lane) => get(turnedAt + lane)) as [Code, Code, Code, Code]
  return [
    ...set(turnedAt, shuffle(x, y, wordsFrom(0))),
    ...set(turnedAt + 1, shuffle(x, y, wordsFrom(2))),
    ...set(turnedAt + 2, shuffle(z, w, wordsFrom(0))),
    ...set(turnedAt + 3, shuffle(z, w, wordsFrom(2))),
    ...set(targets[0]!, shuffle(turned[0], turned[2], half(0))),
    ...set(targets[1]!, shuffle(turned[0], turned[2], half(1))),
    ...set(targets[2]!, shuffle(turned[1], turned[3], half(0))),
    ...set(targets[3]!, shuffle(turned[1], turned[3], half(1))),
  ]
}

/** Reads the messages into the schedule, padded as in FIPS 180-4 §5.1.1. */
function readBlocks(): Code {
  const code: Code = []
  for (let at = 0; at < blockBytes; at += vectorBytes) {
    for (const lane of lanes) {
      const place = less(number(blockBytes), lengthOf(lane))
      const message = and(load(fromOf(lane), at), load(place, maskAt + at))
      code.push(...set(heldAt + lane, or(message, load(place, endAt + at))))
    }
    const targets = lanes.map((word) => scheduleAt + at / 4 + word)
    code.push(
      ...transpose(
        lanes.map((lane) => get(heldAt + lane)),
        targets,
      ),
    )
  }
  const bits = lanes.reduce(
    (words, lane) => replaceWord(words, lane, times(lengthOf(lane), number(8))),
    constant(0),
  )
  return [...code, ...set(scheduleAt + blockWords - 1, bits)]
}

/** FIPS 180-4 §6.2.2, all rounds one after the other. */
function compress(): Code {
  const state = Array.from({ length: digestWords }, (_, index) => stateAt + index)
  const schedule = (round: number) => scheduleAt + (round % blockWords)
  const code: Code = []
  for (const [index, local] of state.entries()) {
    code.push(...set(local, constant(initialState[index]!)))
  }
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
    code.push(...set(local, add(get(local), constant(initialState[index]!))))
  }
  return code
}

/** FIPS 180-4 §6.2.2, end: the state as bytes. */
function writeDigests(): Code {
  const code: Code = []
  for (let word = 0; word < digestWords; word += laneCount) {
    const held = lanes.map((lane) => heldAt + lane)
    code.push(
      ...transpose(
        lanes.map((each) => get(stateAt + word + each)),
        held,
      ),
    )
    for (const lane of lanes) {
      code.push(...store(toOf(lane), word * 4, get(heldAt + lane)))
    }
  }
  return code
}

/** SHA-256 (FIPS 180-4) of messages of one block: what `openLanes` runs. */
export const hashing = assemble({ parameters, vectors, pages: 1 }, [
  ...readBlocks(),
  ...compress(),
  ...writeDigests(),
])
