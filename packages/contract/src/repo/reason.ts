import { limits } from '../limits.ts'
import { isStorable, notStorable } from '../text/text.ts'

const reasonRule = `must be 1 to ${limits.reasonLength} characters that are not all spaces`

/** Why a text cannot be the reason of a correction; undefined where it can. */
export function invalidReason(text: string): string | undefined {
  if (text.trim() === '' || text.length > limits.reasonLength) return reasonRule
  return isStorable(text) ? undefined : notStorable
}
