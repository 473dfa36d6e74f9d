import * as z from 'zod/mini'
import { itemCount, itemId } from './item.ts'
import { limits } from '../limits.ts'
import { page } from './page.ts'

/** Sort keys of a search for datasets; a hyphen before one reverses it. */
const sortKeys = ['name', 'createdAt', 'items', 'addedAt'] as const

export const datasetSorts = sortKeys.flatMap((key) => [key, `-${key}`] as const)
export type DatasetSort = (typeof datasetSorts)[number]

const datasetKind = z.enum(['repo', 'view'])
export type DatasetKind = z.infer<typeof datasetKind>

/** Query of a search for datasets. */
export const datasetQuery = z.strictObject({
  q: z.optional(
    z
      .string()
      .check(z.maxLength(limits.searchLength, `must be at most ${limits.searchLength} characters`))
      .register(z.globalRegistry, {
        description:
          'Words, each of which is in the name, the description or the name of a field; case and ' +
          'accents make no difference',
        examples: ['photo lake'],
      }),
  ),
  kind: z.optional(datasetKind),
  sort: z.optional(
    z.enum(datasetSorts, `must be one of ${datasetSorts.join(', ')}`).register(z.globalRegistry, {
      description:
        'Left out: those first whose name fits best, then the newest. What is not known comes last',
    }),
  ),
  ...page.shape,
})
export type DatasetQuery = z.output<typeof datasetQuery>

/** A dataset with what a list shows of it. */
export const foundDataset = z.object({
  name: z.string(),
  kind: datasetKind,
  createdAt: z.string(),
  /** Base dataset of a view. */
  base: z.optional(z.string()),
  description: z.optional(z.string()),
  /** Number of items; of a view that is still catching up, those found so far. */
  items: itemCount,
  /** When the newest of its items was committed, where it has any and that is known. */
  addedAt: z.optional(z.string()),
  /** Names of fields in which a word was found. */
  fields: z.array(z.string()),
  /** Names of its first fields, at most twelve; left out until the dataset was read. */
  fieldNames: z.optional(z.array(z.string())),
  /** Pictures of the first items that have one, at most four. */
  covers: z.array(
    z.object({
      itemId,
      fieldName: z.string(),
      /** The media type that the field takes, which may be `image/*`. */
      mime: z.optional(z.string()),
    }),
  ),
})
export type FoundDataset = z.infer<typeof foundDataset>
export type Cover = FoundDataset['covers'][number]
