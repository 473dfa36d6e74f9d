import { pathsFrom, pathSuggestion } from './path-suggestions.ts'
import { inMapping, keySuggestions, type SuggestRule, type Suggestion } from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

const splitKeys = {
  by: 'items that share its value stay together; their id when left out',
  salt: 'another salt deals anew',
  parts: 'each part with its weight',
  take: 'the part to keep',
}

/** Suggestions inside of `split`. */
export const splitRules: readonly SuggestRule[] = [
  { at: 'key', path: ['split'], suggest: keysOfSplit },
  { at: 'value', path: ['split'], suggest: keysOfSplit },
  {
    at: 'value',
    path: ['split', 'by'],
    suggest: async (place, lookup) =>
      (await pathsFrom(place, lookup))
        // A moment cannot be the key of a split.
        .filter(({ field }) => field.type !== 'createdAt')
        .map((path) => pathSuggestion(path, 'field')),
  },
  {
    at: 'value',
    path: ['split', 'parts'],
    suggest: () => [
      weights('train: 80, val: 10, test: 10', 'three parts'),
      weights('train: 80, test: 20', 'two parts'),
    ],
  },
  { at: 'value', path: ['split', 'take'], suggest: partNames },
]

function keysOfSplit(place: YamlPlace): Suggestion[] {
  return keySuggestions(splitKeys, place.keys).map((key) => inMapping(key, place))
}

function weights(parts: string, note: string): Suggestion {
  return { label: parts, kind: 'keyword', note, insert: `{ ${parts} }` }
}

function partNames({ root }: YamlPlace): Suggestion[] {
  const parts = dataAt(root, ['split', 'parts'])
  if (typeof parts !== 'object' || parts === null) return []
  return Object.entries(parts).map(([label, weight]) => ({
    label,
    kind: 'keyword',
    note: `weight ${String(weight)}`,
  }))
}
