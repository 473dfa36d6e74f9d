import { isRowField, parseOrderKey, typeOf } from '@vitrine/contract'
import { pathsFrom, pathSuggestion, type AnyField, type FoundPath } from './path-suggestions.ts'
import { each, type DatasetLookup, type SuggestRule, type Suggestion } from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

/** Suggestions inside of `order`. */
export const orderRules: readonly SuggestRule[] = [
  { at: 'value', path: ['order'], suggest: orderKeys },
  { at: 'value', path: ['order', each], suggest: orderKeys },
]

/**
 * Paths that are no key yet and have an order; those that can be, in natural order. With a hyphen typed all
 * turned around, without one the near ones too.
 */
async function orderKeys(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const order = dataAt(place.root, ['order'])
  const taken = Array.isArray(order) ? order.map((key) => parseOrderKey(String(key)).path) : []
  const paths = (await pathsFrom(place, lookup)).filter(
    ({ path, field }) => isOrdered(field) && !taken.includes(path),
  )
  const naturally = paths.filter(({ field }) => field.type === 'string' && !field.choices)
  const typed = parseOrderKey(place.word)
  if (typed.isNatural) return naturally.map((path) => natural(path, typed.descending))
  if (typed.descending) {
    return [...paths.map(descending), ...naturally.map((path) => natural(path, true))]
  }
  const isNear = ({ references }: FoundPath) => references.length === 0
  return [
    ...paths.map((path) => pathSuggestion(path, 'field')),
    ...paths.filter(isNear).map(descending),
    ...naturally.filter(isNear).map((path) => natural(path, false)),
  ]
}

function isOrdered(field: AnyField): boolean {
  return isRowField(field) || typeOf(field).isOrdered
}

function natural({ path }: FoundPath, isDescending: boolean): Suggestion {
  const note = isDescending ? 'img10 before img2' : 'img2 before img10'
  return { label: `${isDescending ? '-' : ''}natural:${path}`, kind: 'field', note }
}

function descending(path: FoundPath): Suggestion {
  const note = path.field.type === 'createdAt' ? 'newest first' : 'highest first'
  return { label: `-${path.path}`, kind: 'field', note }
}
