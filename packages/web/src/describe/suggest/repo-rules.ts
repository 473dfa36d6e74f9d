import { fieldDescriptions, type FieldType } from '@vitrine/contract'
import { mediaTypes } from './media-types.ts'
import {
  datasetSuggestions,
  each,
  keySuggestions,
  keywordSuggestions,
  type SuggestRule,
  type Suggestion,
} from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

const topKeys = {
  name: 'what the repository is called',
  description: 'what it holds, in a few words',
  schema: 'the fields of every item',
}

const fieldKeys = {
  name: 'what the field is called',
  type: 'string, reference or binary',
  length: 'string: the most characters',
  target: 'reference: the dataset referred to',
  mime: 'binary: the media type, or image/*',
  optional: 'may be left empty',
}

const types: Record<FieldType, string> = {
  string: 'text',
  reference: 'an item of another dataset',
  binary: 'a file',
}

/** Suggestions for `POST /api/repo` descriptions. */
export const repoRules: readonly SuggestRule[] = [
  { at: 'key', path: [], suggest: topSuggestions },
  { at: 'value', path: ['schema'], suggest: firstField },
  { at: 'value', path: ['schema', each], suggest: () => keySuggestions(fieldKeys, []) },
  { at: 'key', path: ['schema', each], suggest: keysOfField },
  { at: 'value', path: ['schema', each, 'type'], suggest: () => keywordSuggestions(types) },
  { at: 'value', path: ['schema', each, 'mime'], suggest: () => keywordSuggestions(mediaTypes) },
  {
    at: 'value',
    path: ['schema', each, 'target'],
    suggest: (_, lookup) => datasetSuggestions(lookup),
  },
  {
    at: 'value',
    path: ['schema', each, 'optional'],
    suggest: () => keywordSuggestions({ true: 'may be left empty', false: 'must be given' }),
  },
]

function topSuggestions({ keys }: YamlPlace): Suggestion[] {
  return keySuggestions(topKeys, keys).map((key) =>
    key.label === 'schema' ? { ...key, after: '\n  - ' } : key,
  )
}

function firstField({ ownLine }: YamlPlace): Suggestion[] {
  return ownLine ? [{ label: 'name', kind: 'key', note: 'the first field', insert: '- name' }] : []
}

function keysOfField({ path, root, keys }: YamlPlace): Suggestion[] {
  const type = dataAt(root, [...path, 'type'])
  const suggestions = keySuggestions(fieldKeys, keys)
  if (typeof type !== 'string' || !Object.hasOwn(fieldDescriptions, type)) return suggestions
  const { shape } = fieldDescriptions[type as FieldType]
  return suggestions.filter(({ label }) => Object.hasOwn(shape, label))
}
