type Revive = (key: string, value: unknown, context: { source?: string }) => unknown

const isInexact = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value)

/** Whether a number is written as a double: `1e20` is one, and says exactly which. */
export const isWrittenAsDouble = (source: string) => /[.eE]/.test(source)

const keepDoubles: Revive = (_key, value, { source }) =>
  isInexact(value) && isWrittenAsDouble(source!) ? String(value) : value

/**
 * Parses a line of NDJSON. Doubles beyond the integers that JavaScript counts exactly come as texts; integers
 * there stay numbers, of which nobody knows what they were.
 * @throws SyntaxError
 */
export function parseJsonRow(text: string): unknown {
  const json: unknown = JSON.parse(text)
  const isExact = typeof json !== 'object' || json === null || !Object.values(json).some(isInexact)
  return isExact ? json : JSON.parse(text, keepDoubles as (key: string, value: unknown) => unknown)
}
