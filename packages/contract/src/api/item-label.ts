import * as z from 'zod/mini'
import type { DatasetInfo } from './dataset.ts'
import { type Item, itemId } from './item.ts'
import { limits } from '../limits.ts'
import { digits } from './query-text.ts'

const id = digits(1, Number.MAX_SAFE_INTEGER)
const several = `must be 1 to ${limits.labels} ids, with commas between them`

/** Ids of items with commas between them. */
export const idList = z.pipe(
  z.pipe(
    z.string(several),
    z.transform((text) => text.split(',')),
  ),
  z.array(id).check(z.maxLength(limits.labels, several)),
)

/** Asks for the labels of items by their ids. */
export const labelQuery = z.strictObject({ ids: idList })

/** An item by its name. */
export const labelledItem = z.object({
  id: itemId,
  /** Left out where the item has no text. */
  label: z.optional(z.string()),
})
export type LabelledItem = z.infer<typeof labelledItem>

/** The field that names most items; undefined of a dataset without texts. */
export function labelField({
  schema,
  repo,
}: Pick<DatasetInfo, 'schema' | 'repo'>): string | undefined {
  const strings = schema.filter(({ type }) => type === 'string')
  return (strings.find(({ name }) => name === repo?.['label']) ?? strings[0])?.name
}

/**
 * Names an item: by the field that its repository calls its label, or else by its first text that is not
 * blank; by the beginning of one that is long.
 */
export function itemLabel(
  { schema, repo }: Pick<DatasetInfo, 'schema' | 'repo'>,
  { data }: Pick<Item, 'data'>,
): string | undefined {
  const strings = schema.filter(({ type }) => type === 'string').map(({ name }) => name)
  const text = [repo?.['label'], ...strings]
    .map((name) => data[String(name)])
    .find((value): value is string => typeof value === 'string' && value.trim() !== '')
  return text === undefined ? undefined : labelText(text)
}

/** Returns a text as it stands in a line: the beginning of one that is long. */
export function labelText(text: string): string {
  // A code point is one or two units of a string.
  const points = Array.from(text.slice(0, 2 * (limits.labelLength + 1)))
  if (points.length <= limits.labelLength) return text
  return `${points.slice(0, limits.labelLength - 1).join('')}…`
}
