import {
  datasetSuggestions,
  each,
  keySuggestions,
  type DatasetLookup,
  type SuggestRule,
  type Suggestion,
} from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

const topKeys = {
  name: 'what the view is called',
  base: 'the repository or view it derives from',
  description: 'what it shows, in a few words',
  fields: 'the fields it shows; all when left out',
}

const pickKeys = { name: 'what the view calls the field', from: 'the field of the base' }
const exceptKeys = { except: 'all fields but these' }

/** Suggestions for `POST /api/view` descriptions. */
export const viewRules: readonly SuggestRule[] = [
  { at: 'key', path: [], suggest: ({ keys }) => keySuggestions(topKeys, keys) },
  { at: 'value', path: ['base'], suggest: (_, lookup) => datasetSuggestions(lookup) },
  {
    at: 'value',
    path: ['fields'],
    suggest: ({ ownLine }) => (ownLine ? keySuggestions(exceptKeys, []) : []),
  },
  { at: 'key', path: ['fields'], suggest: ({ keys }) => keySuggestions(exceptKeys, keys) },
  { at: 'value', path: ['fields', each], suggest: baseFields },
  { at: 'key', path: ['fields', each], suggest: ({ keys }) => keySuggestions(pickKeys, keys) },
  { at: 'value', path: ['fields', each, 'from'], suggest: baseFields },
  { at: 'value', path: ['fields', 'except', each], suggest: baseFields },
]

/** The fields of the base that the list around the cursor does not name yet. */
async function baseFields({ root, path }: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const base = dataAt(root, ['base'])
  if (typeof base !== 'string') return []
  const info = await lookup.info(base)
  const listed = dataAt(
    root,
    path.slice(
      0,
      path.findIndex((step) => typeof step === 'number'),
    ),
  )
  const taken = Array.isArray(listed) ? listed : []
  return (info?.schema ?? [])
    .filter(({ name }) => !taken.includes(name))
    .map(({ name, type, target, mime }) => ({
      label: name,
      kind: 'field',
      note: [type, target ?? mime].filter((part) => part !== undefined).join(' '),
    }))
}
