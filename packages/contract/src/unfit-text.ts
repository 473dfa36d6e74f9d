import { countCodePoints } from './code-points.ts'

/** Why a text does not fit a field of so many code points; undefined where it does. */
export function unfitText({ length }: { length: number }, text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000'
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair'
  if (text.length > length && countCodePoints(text) > length) return tooLongText({ length })
  return undefined
}

export function tooLongText({ length }: { length: number }): string {
  return `must be at most ${length} characters (code points)`
}
