const nothing = 0
const [plus, minus, dot, backslash] = [0x2b, 0x2d, 0x2e, 0x5c]
const [digit0, digit9] = [0x30, 0x39]

/** With what no cell begins that is a formula, or taken for a guarded one. */
const isHarmless = Uint8Array.from({ length: 256 }, (_, byte) =>
  "=+-@'".includes(String.fromCharCode(byte)) ? nothing : 1,
)

/**
 * Whether a text in JSON, given without its quotes, is written to a delimited file as it is: it is not
 * empty, nothing in it is escaped or delimits cells, and it begins as no formula does, or is digits with a
 * sign and at most one point. Not all that is so is found.
 */
export function isPlainCell(
  bytes: Uint8Array,
  { from, to, delimiter }: { from: number; to: number; delimiter: number },
): boolean {
  if (from === to) return false
  const first = bytes[from]!
  if (isHarmless[first] === nothing) {
    return (first === plus || first === minus) && isNumber(bytes, from + 1, to)
  }
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at]!
    if (byte === backslash || byte === delimiter) return false
  }
  return true
}

function isNumber(bytes: Uint8Array, from: number, to: number): boolean {
  let digits = 0
  let points = 0
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at]!
    if (byte >= digit0 && byte <= digit9) digits += 1
    else if (byte === dot) points += 1
    else return false
  }
  return digits > 0 && points <= 1
}
