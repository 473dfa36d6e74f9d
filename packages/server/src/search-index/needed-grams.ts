import {
  type FieldType,
  type Literal,
  type Predicate,
  type Subject,
  isSearchedType,
  typeOf,
} from '@vitrine/contract'
import type { Listing } from '../language/sequence.ts'
import type { StoredField } from '../store/items.ts'
import { longestGrams, valueGram } from './grams.ts'
import { type IndexedColumn, foldGrams, splitAtMoved } from './segment-filter.ts'

/** The grams that an item has where it passes a predicate. */
export type NeededGrams =
  { kind: 'gram'; hash: number } | { kind: 'all' | 'any'; of: readonly NeededGrams[] }

/** Bounds of the grams that a search needs: characters at the beginning of a text, and values; more need none. */
const max = { characters: 64, values: 64 }

/** How the index has the values of a type; undefined where it has not, as each of them is in most blocks. */
export function indexedBy(type: FieldType): IndexedColumn['by'] | undefined {
  if (isSearchedType(type)) return 'parts'
  const isCompared = type === 'binary' || typeOf({ type }).operators.includes('in')
  return isCompared ? 'value' : undefined
}

/**
 * The grams that an item must have to be in a listing; undefined where that does not
 * depend on what is indexed. What is folded for a search contains what a search, or any other comparison of a part, finds.
 */
export function neededGrams({ clauses, definitions, baseName }: Listing): NeededGrams | undefined {
  const fieldOf = ({ path, measure }: Subject): StoredField | undefined => {
    const { steps, end, casts } = definitions.stored(path, baseName)
    if (steps.length > 0 || casts.length > 0 || typeof end === 'string') return undefined
    // A binary is known by its sha256.
    return measure === (end.type === 'binary' ? 'sha256' : 'value') ? end : undefined
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
    const field = fieldOf(predicate.subject)
    if (field === undefined) return undefined
    const by = indexedBy(field.type)
    if (by === undefined) return undefined
    const equal = (value: Literal): NeededGrams | undefined =>
      by === 'parts'
        ? gramsOf(String(value))
        : { kind: 'gram', hash: valueGram(field.column, value) }
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
        return equal(predicate.value)
      case 'in':
        return any(predicate.values.map(equal))
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
  if (of.length === 0 || of.length < each.length || of.length > max.values) return undefined
  return { kind: 'any', of }
}
