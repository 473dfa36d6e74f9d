type Revive = (key: string, value: unknown, context: { source?: string }) => unknown

const isExact = (value: unknown) =>
  typeof value !== 'number' ||
  (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value))

/**
 * A number as rows have it, of what is written: a double beyond the integers that JavaScript counts exactly
 * as its shortest text, one beyond all doubles as it is written, and any other as it is.
 */
export function rowNumber(value: number, source: string): number | string {
  if (isExact(value)) return value
  if (!Number.isFinite(value)) return source
  // `1e20` is a double, and says exactly which.
  return /[.eE]/.test(source) ? String(value) : value
}

const keepNumbers: Revive = (_key, value, { source }) =>
  typeof value === 'number' ? rowNumber(value, source!) : value

/**
 * Parses a line of NDJSON, its numbers as `rowNumber` has them. Integers that JavaScript does not count exactly
 * stay numbers, rounded to doubles.
 * @throws SyntaxError
 */
export function parseJsonRow(text: string): unknown {
  const json: unknown = JSON.parse(text)
  const isFit = typeof json !== 'object' || json === null || Object.values(json).every(isExact)
  return isFit ? json : JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown)
}
