import { isStorable, notStorable } from '../text/text.ts'
import { kindOf } from '../problems.ts'
import { type ReadLiteral, accept, refuse } from './type-definition.ts'

/** Reads a text operand; refuses numbers, and warns that ordering compares code points. */
export function readText(input: unknown, isOrdering = false): ReadLiteral {
  if (typeof input === 'number') {
    const compared = isOrdering ? ', which is compared character by character' : ''
    return refuse(`must be text, not a number; in quotes it is text${compared}: "${input}"`)
  }
  if (typeof input !== 'string') return refuse(`must be text, not ${kindOf(input)}`)
  return isStorable(input) ? accept(input) : refuse(notStorable)
}
