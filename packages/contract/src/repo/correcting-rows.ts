import { limits } from '../limits.ts'
import { isStorable, notStorable } from '../text/text.ts'

/**
 * Names by which rows are matched with items that are no fields, and stand alone: an id, and the ids by which rows say
 * themselves what they replace or withdraw.
 */
export const idMatches: readonly string[] = ['id', 'id.replaces']

const reasonRule = `must be 1 to ${limits.reasonLength} characters that are not all spaces`

/** Why a text cannot be the reason of a correction; undefined where it can. */
export function invalidReason(text: string): string | undefined {
  if (text.trim() === '' || text.length > limits.reasonLength) return reasonRule
  return isStorable(text) ? undefined : notStorable
}
