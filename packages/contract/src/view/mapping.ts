import { compareText } from '../text/text.ts'

/** Whether JSON is an object: what a description calls a mapping. */
export function isMapping(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** A mapping with its values changed and its keys sorted by code point, as it has no order of its own. */
export function mapSorted<V, W>(
  mapping: Readonly<Record<string, V>>,
  change: (key: string, value: V) => W,
): Record<string, W> {
  return Object.fromEntries(
    Object.entries(mapping)
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([key, value]) => [key, change(key, value)]),
  )
}
