import { pathsFrom, pathSuggestion, type FoundPath } from './path-suggestions.ts'
import { each, type DatasetLookup, type SuggestRule, type Suggestion } from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

/** Suggestions inside of `order`. */
export const orderRules: readonly SuggestRule[] = [
  { at: 'value', path: ['order'], suggest: orderKeys },
  { at: 'value', path: ['order', each], suggest: orderKeys },
]

/** Paths that are no key yet; with a hyphen typed all turned around, without one the near ones too. */
async function orderKeys(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const order = dataAt(place.root, ['order'])
  const taken = Array.isArray(order) ? order.map((key) => String(key).replace(/^-/, '')) : []
  const paths = (await pathsFrom(place, lookup)).filter(
    ({ path, field }) => field.type !== 'binary' && !taken.includes(path),
  )
  if (place.word.startsWith('-')) return paths.map(descending)
  const near = paths.filter(({ references }) => references.length === 0)
  return [...paths.map((found) => pathSuggestion(found, 'field')), ...near.map(descending)]
}

function descending(found: FoundPath): Suggestion {
  const note = found.field.type === 'createdAt' ? 'newest first' : 'highest first'
  return { label: `-${found.path}`, kind: 'field', note }
}
