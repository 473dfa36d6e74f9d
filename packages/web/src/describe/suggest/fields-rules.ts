import { castsOf, isRowField, typeOf } from '@vitrine/contract'
import { pathOf, pathsFrom, pathSuggestion, type FoundPath } from './path-suggestions.ts'
import {
  each,
  keySuggestions,
  keywordSuggestions,
  type DatasetLookup,
  type SuggestRule,
  type Suggestion,
} from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

const pickKeys = {
  name: 'what the view calls the field',
  from: 'the field of the base',
  as: 'the type that its values are read as',
  choices: 'as: string: the only values',
}
const exceptKeys = { except: 'all fields but these' }

/** Suggestions inside of `fields`. */
export const fieldsRules: readonly SuggestRule[] = [
  {
    at: 'value',
    path: ['fields'],
    suggest: ({ ownLine }) => (ownLine ? keySuggestions(exceptKeys, []) : []),
  },
  { at: 'key', path: ['fields'], suggest: ({ keys }) => keySuggestions(exceptKeys, keys) },
  { at: 'value', path: ['fields', each], suggest: pickable },
  { at: 'key', path: ['fields', each], suggest: keysOfField },
  { at: 'value', path: ['fields', each, 'as'], suggest: castTypesAt },
  {
    at: 'value',
    path: ['fields', each, 'from'],
    suggest: async (place, lookup) =>
      (await shownPaths(place, lookup)).map((path) => pathSuggestion(path, 'field')),
  },
  {
    at: 'value',
    path: ['fields', 'except', each],
    suggest: async (place, lookup) =>
      (await shownPaths(place, lookup))
        .filter(({ references }) => references.length === 0)
        .filter(({ path }) => !listedNames(place).includes(path))
        .map((path) => pathSuggestion(path, 'field')),
  },
]

function keysOfField({ path, root, keys }: YamlPlace): Suggestion[] {
  const isText = dataAt(root, [...path, 'as']) === 'string'
  return keySuggestions(pickKeys, keys).filter(({ label }) => label !== 'choices' || isText)
}

/** The types that the values of a field can be cast to. */
async function castTypesAt(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const from = dataAt(place.root, [...place.path.slice(0, -1), 'from'])
  const source = typeof from === 'string' ? await pathOf(from, place, lookup) : undefined
  const types = source === undefined || isRowField(source.field) ? [] : castsOf(source.field.type)
  return keywordSuggestions(
    Object.fromEntries(types.map((type) => [type, typeOf({ type }).summary])),
  )
}

/** Every item shows its id and createdAt by itself: they are no fields. */
async function shownPaths(place: YamlPlace, lookup: DatasetLookup): Promise<FoundPath[]> {
  return (await pathsFrom(place, lookup)).filter(({ field }) => !isRowField(field))
}

/** Fields that are not picked yet; a followed one comes with the name that it needs. */
async function pickable(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const taken = listedNames(place)
  return (await shownPaths(place, lookup))
    .filter(({ path }) => !taken.includes(path))
    .map((match) => {
      const { path, references, field } = match
      if (references.length === 0) return pathSuggestion(match, 'field')
      const name = taken.includes(field.name) ? path.replaceAll('.', '_') : field.name
      return { ...pathSuggestion(match, 'field'), insert: `{ name: ${name}, from: ${path} }` }
    })
}

/** The names in the list around the cursor. */
function listedNames({ root, path }: YamlPlace): unknown[] {
  const index = path.findIndex((step) => typeof step === 'number')
  const listed = dataAt(root, path.slice(0, index))
  if (!Array.isArray(listed)) return []
  return listed.map((entry: unknown) =>
    typeof entry === 'string' ? entry : dataAt(entry, ['name']),
  )
}
