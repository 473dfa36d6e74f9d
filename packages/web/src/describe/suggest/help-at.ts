import { suggestAt, type DatasetLookup, type SuggestRule } from './suggest.ts'
import { wordAfter, yamlPlace } from './yaml-place.ts'

/** Explanation of the word from offset `from` to `to`. */
export type Help = { from: number; to: number; label: string; note: string; example?: string }

/** Explains the word around a cursor, if it is one that the rules could have suggested there. */
export async function helpAt(
  rules: readonly SuggestRule[],
  text: string,
  cursor: number,
  lookup: DatasetLookup,
): Promise<Help | undefined> {
  const wordEnd = cursor + wordAfter.exec(text.slice(cursor))![0].length
  const place = yamlPlace(text, wordEnd)
  if (place === undefined || place.word === '') return undefined
  const suggestions = await suggestAt(rules, place, lookup)
  const suggestion = suggestions.find(({ label }) => label === place.word)
  if (suggestion?.note === undefined) return undefined
  const { label, note, info } = suggestion
  return {
    from: place.from,
    to: place.to,
    label,
    note,
    ...(info !== undefined && { example: info }),
  }
}
