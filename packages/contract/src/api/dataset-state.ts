import * as z from 'zod/mini'
import { digits } from './query-text.ts'

/**
 * A dataset, or with `at` the dataset as it was when its repository had so many items. A repository only grows, so
 * a state never becomes another (docs/states.md).
 */
export type DatasetState = { name: string; at?: number }

/** A name has no `@`, so there is one reading. The number has at most 15 digits, which a double holds. */
export const statePattern = /^([A-Za-z0-9][A-Za-z0-9._-]{0,127})(?:@(0|[1-9][0-9]{0,14}))?$/
export const atMax = 999_999_999_999_999

/** Reads `photos` or `photos@1200`; undefined where it is neither. */
export function parseState(text: string): DatasetState | undefined {
  const [, name, at] = statePattern.exec(text) ?? []
  if (name === undefined) return undefined
  return at === undefined ? { name } : { name, at: Number(at) }
}

/** Writes a state as `parseState` reads it. */
export function stateName({ name, at }: DatasetState): string {
  return at === undefined ? name : `${name}@${at}`
}

const at = digits(0, atMax).register(z.globalRegistry, {
  description:
    'The dataset as it was when its repository had so many items; of a server that announces `states`',
  examples: ['1200'],
})

/** Asks for a dataset as it was; without, for what it is now. */
export const atState = z.strictObject({ at: z.optional(at) })
export type AtState = { at?: number | undefined }
