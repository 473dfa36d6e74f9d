const [quote, plus, minus, dot] = [0x22, 0x2b, 0x2d, 0x2e]
const [digit0, digit9] = [0x30, 0x39]

/** With what no text begins that is empty, a formula, or taken for a guarded one. */
const isHarmless = tableWithout(`"=+-@'`)

/** Makes a table of the 256 bytes: 1, but 0 for those of `characters`. */
export function tableWithout(characters: string): Uint8Array {
  const without = new TextEncoder().encode(characters)
  return Uint8Array.from({ length: 256 }, (_, byte) => (without.includes(byte) ? 0 : 1))
}

/**
 * Whether a text in JSON, given from behind its first quote, begins as one that needs neither quotes nor a guard
 * in a delimited file: as no formula does, or it is digits with a sign and at most one point.
 */
export function beginsPlain(bytes: Uint8Array, from: number): boolean {
  const first = bytes[from]!
  if (isHarmless[first] === 1) return true
  return (first === plus || first === minus) && isNumber(bytes, from + 1)
}

function isNumber(bytes: Uint8Array, from: number): boolean {
  let digits = 0
  let points = 0
  for (let at = from; ; at += 1) {
    const byte = bytes[at]!
    if (byte >= digit0 && byte <= digit9) digits += 1
    else if (byte === dot) points += 1
    else return byte === quote && digits > 0 && points <= 1
  }
}
