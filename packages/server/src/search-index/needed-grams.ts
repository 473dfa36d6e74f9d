import { type Predicate, type Subject, isSearchedType } from '@vitrine/contract'
import type { Listing } from '../language/sequence.ts'
import { foldGrams, splitAtMoved } from './segment-filter.ts'
import { longestGrams } from './grams.ts'

/** The grams that the texts of an item have where the item passes a predicate. */
export type NeededGrams =
  { kind: 'gram'; hash: number } | { kind: 'all' | 'any'; of: readonly NeededGrams[] }

/** Bounds of the grams that a search needs: characters at the beginning of a text, and texts; more texts need none. */
const max = { characters: 64, texts: 64 }

/**
 * The grams that an item must have to be in a listing; undefined where that does not
 * depend on texts. What is folded for a search contains what a search, or any other comparison of a part, finds.
 */
export function neededGrams({ clauses, definitions, baseName }: Listing): NeededGrams | undefined {
  const isIndexed = ({ path, measure }: Subject) => {
    if (measure !== 'value') return false
    const { steps, end, casts } = definitions.stored(path, baseName)
    if (steps.length > 0 || casts.length > 0 || typeof end === 'string') return false
    return isSearchedType(end.type)
  }
  const needed = (predicate: Predicate): NeededGrams | undefined => {
    switch (predicate.kind) {
      case 'all':
        return all(predicate.of.map(needed))
      case 'any':
        return any(predicate.of.map(needed))
      case 'not':
      case 'missing':
        return undefined
    }
    if (!isIndexed(predicate.subject)) return undefined
    switch (predicate.kind) {
      case 'search':
      case 'contains':
      case 'starts_with':
      case 'ends_with':
        return gramsOf(predicate.text)
      case 'icontains':
        // Case folding makes a ι of the one below another letter, which a search leaves out as an accent.
        return predicate.text.includes('ι') ? undefined : gramsOf(predicate.text)
      case 'eq':
        return gramsOf(String(predicate.value))
      case 'in':
        return any(predicate.values.map((value) => gramsOf(String(value))))
      default:
        return undefined
    }
  }
  return all(clauses.where.map(({ predicate }) => needed(predicate)))
}

/** The grams that every text has in which another one stands. */
export function gramsOf(text: string): NeededGrams | undefined {
  const folded = Array.from([...foldGrams(text)].join(''))
    .slice(0, max.characters)
    .join('')
  const hashes = splitAtMoved(folded).flatMap(longestGrams)
  return all(hashes.map((hash) => ({ kind: 'gram', hash })))
}

function all(each: readonly (NeededGrams | undefined)[]): NeededGrams | undefined {
  const of = each.filter((needed) => needed !== undefined)
  return of.length > 1 ? { kind: 'all', of } : of[0]
}

function any(each: readonly (NeededGrams | undefined)[]): NeededGrams | undefined {
  const of = each.filter((needed) => needed !== undefined)
  if (of.length === 0 || of.length < each.length || of.length > max.texts) return undefined
  return { kind: 'any', of }
}
