import { fieldsRules } from './fields-rules.ts'
import { orderRules } from './order-rules.ts'
import { splitRules } from './split-rules.ts'
import {
  datasetSuggestions,
  keySuggestions,
  keywordSuggestions,
  type SuggestRule,
  type Suggestion,
} from './suggest.ts'
import { whereRules } from './where-rules.ts'
import type { YamlPlace } from './yaml-place.ts'

const topKeys = {
  name: 'what the view is called',
  base: 'the repository or view it derives from',
  description: 'what it shows, in a few words',
  current: 'true leaves out what was replaced or withdrawn',
  where: 'the items it keeps; all when left out',
  split: 'one part of the items, dealt by a hash',
  order: 'what items are ordered by; as in the base when left out',
  limit: 'the most items it keeps',
  fields: 'the fields it shows; all when left out',
}

const inside: Readonly<Record<string, string>> = { where: '\n  ', split: '\n  ', fields: '\n  - ' }

/** Suggestions for `POST /api/view` descriptions. A new clause brings rules of its own. */
export const viewRules: readonly SuggestRule[] = [
  { at: 'key', path: [], suggest: clauses },
  { at: 'value', path: ['base'], suggest: (_, lookup) => datasetSuggestions(lookup) },
  { at: 'value', path: ['current'], suggest: () => keywordSuggestions({ true: '' }) },
  ...whereRules,
  ...splitRules,
  ...orderRules,
  ...fieldsRules,
]

function clauses({ keys }: YamlPlace): Suggestion[] {
  return keySuggestions(topKeys, keys).map((key) => ({ ...key, after: inside[key.label] ?? ' ' }))
}
