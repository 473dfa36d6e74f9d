/** Code points, the unit of `length` everywhere in Vitrine. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Whether a text has no NUL and no lone surrogate, which UTF-8 and PostgreSQL cannot keep. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

export const notStorable = 'must be text without NUL and lone surrogates'

/** Why a text does not fit a field of so many code points; undefined where it does. */
export function invalidText({ length }: { length: number }, text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000'
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair'
  if (text.length > length && countCodePoints(text) > length) return tooLongText({ length })
  return undefined
}

export function tooLongText({ length }: { length: number }): string {
  return `must be at most ${length} characters (code points)`
}

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
