/** Orders two texts by code point, as every comparison of text does; negative when `a` is first. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return aboveSurrogates(left) - aboveSurrogates(right)
  }
  return a.length - b.length
}

/**
 * Code units in the order of the code points that they begin: U+E000 to U+FFFF stand above the
 * surrogates in UTF-16, but below what surrogates spell.
 */
function aboveSurrogates(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800
  return unit >= 0xd800 ? unit + 0x2000 : unit
}
