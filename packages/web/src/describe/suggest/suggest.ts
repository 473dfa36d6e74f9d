import type { DatasetInfo } from '@vitrine/contract'
import type { YamlPlace } from './yaml-place.ts'

/** One thing that could stand at the cursor. */
export type Suggestion = {
  label: string
  kind: 'key' | 'keyword' | 'dataset' | 'field'
  /** A few words beside the label. */
  note?: string | undefined
  /** What is written, where that is not the label. */
  insert?: string
  /** Of a key: what is written after its colon, where that is not a space. */
  after?: string
}

/** What a description may refer to, asked of the server when it is needed. */
export type DatasetLookup = {
  names: () => Promise<string[]>
  /** Undefined when there is no such dataset. */
  info: (name: string) => Promise<DatasetInfo | undefined>
}

/** Stands for any index of a list in the path of a rule. */
export const each = Symbol('each')

/** What is suggested at one kind of place. A new clause of a language is a new rule. */
export type SuggestRule = {
  at: YamlPlace['at']
  path: readonly (string | typeof each)[]
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
  return (
    pattern.length === path.length &&
    pattern.every((step, index) =>
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
