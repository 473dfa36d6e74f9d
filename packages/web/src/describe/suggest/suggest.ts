import type { DatasetInfo, Item } from '@vitrine/contract'
import type { YamlPlace } from './yaml-place.ts'

/** One thing that could stand at the cursor. */
export type Suggestion = {
  label: string
  kind: 'key' | 'keyword' | 'dataset' | 'field'
  /** A few words beside the label. */
  note?: string | undefined
  /** Its meaning, longer than a note: an example. */
  info?: string
  /** Text to insert, where it is not the label. */
  insert?: string
  /** Text to insert before it, such as a brace. */
  before?: string
  /** Text to write after the colon of a key, where that is not a space. */
  after?: string
  /** Text to insert behind the cursor, such as the closing brace. */
  tail?: string
}

/** Datasets that a description may refer to, asked of the server when needed. */
export type DatasetLookup = {
  names: () => Promise<string[]>
  /** Undefined when there is no such dataset. */
  info: (name: string) => Promise<DatasetInfo | undefined>
  /** The first items of a dataset; none when they cannot be had. */
  items: (name: string) => Promise<Item[]>
}

/** Stands for any index of a list in the path of a rule. */
export const each = Symbol('each')

/** Ends the path of a rule that holds of everything from there down. */
export const below = Symbol('below')

/** Suggestions for one kind of place. A new clause of a language is a new rule. */
export type SuggestRule = {
  at: YamlPlace['at']
  path: readonly (string | typeof each | typeof below)[]
  suggest: (place: YamlPlace, lookup: DatasetLookup) => Suggestion[] | Promise<Suggestion[]>
}

/** Everything that the rules suggest at a place. */
export async function suggestAt(
  rules: readonly SuggestRule[],
  place: YamlPlace,
  lookup: DatasetLookup,
): Promise<Suggestion[]> {
  const fitting = rules.filter((rule) => rule.at === place.at && leadsTo(rule.path, place.path))
  const suggested = await Promise.all(fitting.map(async (rule) => rule.suggest(place, lookup)))
  return suggested.flat()
}

function leadsTo(pattern: SuggestRule['path'], path: YamlPlace['path']): boolean {
  const open = pattern.at(-1) === below
  const steps = open ? pattern.slice(0, -1) : pattern
  return (
    (open ? steps.length <= path.length : steps.length === path.length) &&
    steps.every((step, index) =>
      step === each ? typeof path[index] === 'number' : step === path[index],
    )
  )
}

/** Keys with their notes, but for those that the mapping has already. */
export function keySuggestions(
  notes: Readonly<Record<string, string>>,
  taken: readonly string[],
): Suggestion[] {
  return Object.entries(notes)
    .filter(([label]) => !taken.includes(label))
    .map(([label, note]) => ({ label, note, kind: 'key' }))
}

export async function datasetSuggestions(lookup: DatasetLookup): Promise<Suggestion[]> {
  const names = await lookup.names()
  return names.map((label) => ({ label, kind: 'dataset' }))
}

/** Keywords with a few words on each; '' where there is nothing to say. */
export function keywordSuggestions(notes: Readonly<Record<string, string>>): Suggestion[] {
  return Object.entries(notes).map(([label, note]) => ({
    label,
    kind: 'keyword',
    ...(note !== '' && { note }),
  }))
}

/** A key for where a mapping belongs: in braces, unless it can begin without or has begun already. */
export function inMapping(key: Suggestion, { at, block }: YamlPlace): Suggestion {
  if (at === 'key' || block) return key
  return { ...key, before: `{ ${key.before ?? ''}`, tail: `${key.tail ?? ''} }` }
}
