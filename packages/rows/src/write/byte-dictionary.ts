/** Values one after the other in one piece of memory; the last offset is the end of the last value. */
export type PackedValues = { bytes: Uint8Array<ArrayBuffer>; offsets: Int32Array<ArrayBuffer> }

/** Distinct values in the order of their first places, and the index of each value among them. */
export type ByteDictionary = { distinct: PackedValues; indexes: Int32Array<ArrayBuffer> }

/** Values after which there is no dictionary if nine in ten of them are distinct. */
const sample = 512

/** Returns the dictionary of values; none where the distinct ones have more than half of all bytes. */
export function makeDictionary(values: PackedValues): ByteDictionary | undefined {
  const { bytes, offsets } = values
  const count = offsets.length - 1
  if (count === 0) return undefined
  const bytesMax = (offsets[count]! - offsets[0]!) / 2
  const indexes = new Int32Array(count)
  /** Places of the distinct values. */
  const places = new Int32Array(count)
  // Open addressing with at least twice as many slots as values; a slot has the index of a distinct value + 1, or 0.
  const slots = new Int32Array(2 ** (Math.ceil(Math.log2(count + 1)) + 1))
  const mask = slots.length - 1
  let distinctCount = 0
  let distinctBytes = 0
  for (let place = 0; place < count; place += 1) {
    if (place === sample && distinctCount > 0.9 * sample) return undefined
    const [from, to] = [offsets[place]!, offsets[place + 1]!]
    let slot = hash(bytes, from, to) & mask
    let index = slots[slot]! - 1
    while (index !== -1 && !isEqual(values, places[index]!, place)) {
      slot = (slot + 1) & mask
      index = slots[slot]! - 1
    }
    if (index === -1) {
      distinctBytes += to - from
      if (distinctBytes > bytesMax) return undefined
      index = distinctCount
      distinctCount += 1
      places[index] = place
      slots[slot] = distinctCount
    }
    indexes[place] = index
  }
  return { distinct: pick(values, places.subarray(0, distinctCount), distinctBytes), indexes }
}

/** FNV-1a of 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let hashed = 0x811c9dc5
  for (let at = from; at < to; at += 1) hashed = Math.imul(hashed ^ bytes[at]!, 0x01000193)
  // The table takes the low bits, in which numbers that differ in their last bytes would be alike.
  return hashed ^ (hashed >>> 15)
}

function isEqual({ bytes, offsets }: PackedValues, one: number, other: number): boolean {
  const [from, otherFrom] = [offsets[one]!, offsets[other]!]
  const length = offsets[one + 1]! - from
  if (offsets[other + 1]! - otherFrom !== length) return false
  for (let at = 0; at < length; at += 1) {
    if (bytes[from + at] !== bytes[otherFrom + at]) return false
  }
  return true
}

function pick(
  { bytes, offsets }: PackedValues,
  places: Int32Array,
  byteCount: number,
): PackedValues {
  const picked = {
    bytes: new Uint8Array(byteCount),
    offsets: new Int32Array(places.length + 1),
  }
  let end = 0
  for (const [index, place] of places.entries()) {
    picked.bytes.set(bytes.subarray(offsets[place], offsets[place + 1]), end)
    end += offsets[place + 1]! - offsets[place]!
    picked.offsets[index + 1] = end
  }
  return picked
}
