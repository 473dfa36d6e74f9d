import {
  fieldDescriptions,
  fieldTypes,
  metadataFields,
  typeOf,
  type FieldType,
  type SchemaField,
} from '@vitrine/contract'
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
  label: 'the field that stands for an item',
  cover: 'the field with the picture of an item',
  license: 'the SPDX identifier of its license',
  source: 'the address where it comes from',
  readme: 'more about it, in Markdown',
}

const fieldKeys = {
  name: 'what the field is called',
  type: 'what its values are',
  length: 'string: the most characters',
  choices: 'string: the only values',
  target: 'reference: the dataset referred to',
  mime: 'binary: the media type, or image/*',
  optional: 'may be left empty',
}

const types = Object.fromEntries(fieldTypes.map((type) => [type, typeOf({ type }).summary]))

const licenses = {
  'CC0-1.0': 'public domain',
  'CC-BY-4.0': 'with attribution',
  'CC-BY-SA-4.0': 'with attribution, shared alike',
  'CC-BY-NC-4.0': 'with attribution, not for commerce',
  'ODbL-1.0': 'databases, shared alike',
  'ODC-By-1.0': 'databases, with attribution',
  'PDDL-1.0': 'databases, public domain',
  'CDLA-Permissive-2.0': 'data',
  MIT: '',
  'Apache-2.0': '',
}

/** Suggestions for `POST /api/repo` descriptions. */
export const repoRules: readonly SuggestRule[] = [
  { at: 'key', path: [], suggest: topSuggestions },
  { at: 'value', path: ['label'], suggest: fieldsThatFit('label') },
  { at: 'value', path: ['cover'], suggest: fieldsThatFit('cover') },
  { at: 'value', path: ['license'], suggest: () => keywordSuggestions(licenses) },
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

/** Fields of the description itself that may be named here. */
function fieldsThatFit(key: 'label' | 'cover') {
  return ({ root }: YamlPlace): Suggestion[] => {
    const schema = dataAt(root, ['schema'])
    const fields = (Array.isArray(schema) ? schema : []).filter(
      (field): field is SchemaField =>
        typeof field?.name === 'string' && metadataFields[key](field),
    )
    return fields.map(({ name, type }) => ({ label: name, kind: 'field', note: type }))
  }
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
