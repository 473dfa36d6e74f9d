import * as z from 'zod/mini'
import type { Problem } from '../api/errors.ts'
import { isStorable, notStorable } from '../text/text.ts'
import { limits } from '../limits.ts'
import { nearest } from '../text/nearest.ts'
import { quote, unknownName } from '../problems.ts'
import type { SchemaField } from '../values/index.ts'
import { isWebAddress, noUrl } from '../values/url.ts'

const storableText = z.string().check(z.refine(isStorable, notStorable))

export const descriptionText = storableText.check(
  z.maxLength(10_000, 'must be at most 10000 characters'),
)

const utf8 = new TextEncoder()

/** Metadata of a repository beside its schema. All of it may change at any time. */
export const repoMetadata = {
  description: z.optional(descriptionText),
  /** The field that stands for an item where it is referenced. */
  label: z.optional(z.string()),
  /** The field with the picture of an item. */
  cover: z.optional(z.string()),
  /** SPDX license identifier (https://spdx.org/licenses). */
  license: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[A-Za-z0-9][A-Za-z0-9.+-]{0,99}$/,
          'must be an SPDX license identifier, such as CC-BY-4.0',
        ),
      ),
  ),
  /** Source of the data. */
  source: z.optional(
    storableText.check(
      z.maxLength(2000, 'must be at most 2000 characters'),
      z.refine(isWebAddress, noUrl),
    ),
  ),
  /** Markdown. */
  readme: z.optional(
    storableText.check(
      z.refine(
        (text) => utf8.encode(text).length <= limits.readmeBytes,
        `must be at most ${limits.readmeBytes} bytes`,
      ),
    ),
  ),
}

export type MetadataKey = keyof typeof repoMetadata
export type RepoMetadata = { [Key in MetadataKey]?: string }

export const metadataKeys = Object.keys(repoMetadata) as MetadataKey[]

/** The metadata of a description, its keys in one order; what is not said is left out. */
export function metadataOf(description: {
  [Key in MetadataKey]?: string | undefined
}): RepoMetadata {
  const keys = metadataKeys.filter((key) => description[key] !== undefined)
  return Object.fromEntries(keys.map((key) => [key, description[key]]))
}

/** Fields that can stand for an item, or be its picture. */
export const metadataFields = {
  label: ({ type }: SchemaField) => type === 'string',
  cover: (field: SchemaField) => field.type === 'binary' && /^image\//i.test(field.mime),
}

const fitting = { label: 'a string', cover: 'a binary of an image type' }

/** Finds metadata that names fields which are not there, or do not fit. */
export function metadataProblems(
  metadata: RepoMetadata,
  schema: readonly SchemaField[],
): Problem[] {
  return (['label', 'cover'] as const).flatMap((key) => {
    const name = metadata[key]
    const field = schema.find((each) => each.name === name)
    if (name === undefined || (field !== undefined && metadataFields[key](field))) return []
    const valid = schema.filter(metadataFields[key]).map((each) => each.name)
    if (field === undefined) return [unknownName([key], 'field', name, valid)]
    const near = nearest(name, valid)
    const reason = `must be ${fitting[key]}, and ${quote(name)} is none`
    return [{ path: [key], reason, ...(near !== undefined && { nearest: near }) }]
  })
}
