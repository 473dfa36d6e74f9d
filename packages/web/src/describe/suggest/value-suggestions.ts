import { itemLabel, type Path } from '@vitrine/contract'
import { stringify } from 'yaml'
import { keywordSuggestions, type DatasetLookup, type Suggestion } from './suggest.ts'

/** A text that is longer is no name of anything. */
const nameLength = 60

/**
 * Suggests values of a path from what it can be, or from the first items: texts that stand there, or the
 * ids of items that it may refer to, with their labels.
 */
export async function valueSuggestions(
  { steps, field }: Path,
  base: string,
  lookup: DatasetLookup,
): Promise<Suggestion[]> {
  switch (field.type) {
    case 'boolean':
      return keywordSuggestions({ true: '', false: '' })
    case 'string':
      if (field.choices !== undefined) return field.choices.map(textSuggestion)
      return texts(await lookup.items(steps.at(-1)?.target ?? base), field.name)
    case 'reference': {
      const { target } = field
      const [info, items] = await Promise.all([lookup.info(target), lookup.items(target)])
      return items.map((item) => ({
        label: String(item.id),
        kind: 'keyword',
        insert: String(item.id),
        note: info && itemLabel(info, item),
      }))
    }
    default:
      return []
  }
}

type Items = Awaited<ReturnType<DatasetLookup['items']>>

function texts(items: Items, field: string): Suggestion[] {
  const values = new Set(items.map(({ data }) => data[field]).filter(isName))
  return [...values].toSorted().map(textSuggestion)
}

function textSuggestion(label: string): Suggestion {
  return { label, kind: 'keyword', insert: inBraces(label) }
}

function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= nameLength && !/\n/.test(value)
  )
}

/** A text as it can stand in braces: in quotes where it would be read as something else. */
function inBraces(text: string): string {
  return stringify([text], { collectionStyle: 'flow', lineWidth: 0 }).trim().slice(1, -1).trim()
}
