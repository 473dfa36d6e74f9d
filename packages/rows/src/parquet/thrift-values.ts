const [boolean, byteType, lastInteger, double, binary, list, struct] = [2, 3, 6, 7, 8, 9, 12]
const levelsMax = 32
/** Greatest factor of a byte in a varint of 64 bits: reading a longer one would take quadratic time. */
const factorMax = 2 ** 63

/** Open container: a struct, or a list with its element type and the elements left. */
type Open = 'struct' | { type: number; left: number }

/**
 * Whether a struct in Thrift's compact protocol has more values than that, or says so of a list
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). Nothing is made of them:
 * a value takes a byte, and what a reader makes of it some hundred.
 * @throws RangeError where it is cut off, or not as Parquet writes it
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  const open: Open[] = ['struct']
  let at = 0
  let count = 0
  const next = (): number => {
    const byte = bytes[at]
    if (byte === undefined) throw new RangeError('the struct does not end')
    at += 1
    return byte
  }
  const varint = (): number => {
    let value = 0
    for (let factor = 1; factor <= factorMax; factor *= 0x80) {
      const byte = next()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new RangeError('a number has more than 64 bits')
  }
  const pass = (type: number): void => {
    if (type === byteType) at += 1
    else if (type > byteType && type <= lastInteger) varint()
    else if (type === double) at += 8
    else if (type === binary) {
      const length = varint()
      at += length
    } else if (type === struct) open.push('struct')
    else if (type === list) {
      const head = next()
      const size = head >> 4 === 15 ? varint() : head >> 4
      count += size
      open.push({ type: head & 15, left: size })
    } else if (type > boolean) throw new RangeError('the type of a value is not known')
  }
  while (open.length > 0) {
    if (count > most || open.length > levelsMax) return true
    const inner = open.at(-1)!
    if (inner === 'struct') {
      const head = next()
      if (head === 0) open.pop()
      else {
        count += 1
        if (head >> 4 === 0) varint()
        pass(head & 15)
      }
    } else if (inner.left === 0) open.pop()
    else {
      inner.left -= 1
      // An element that is a boolean takes a byte; a member is its type alone.
      pass(inner.type <= boolean ? byteType : inner.type)
    }
  }
  return false
}
