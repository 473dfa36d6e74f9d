import { mayBeInexact, parseExactJson } from '@vitrine/contract/values/exact-json'

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
 * Parses a line of NDJSON, the numbers under its keys as `rowNumber` has them: integers that JavaScript does not
 * count exactly stay numbers, rounded to doubles. Numbers further within, and under a key that is JSON, are as
 * `parseExactJson` has them.
 * @throws SyntaxError
 */
export function parseJsonRow(
  text: string,
  isJson: (key: string) => boolean = () => false,
): unknown {
  if (!mayBeInexact(text)) return JSON.parse(text)
  const row: unknown = parseExactJson(text)
  const numbers: unknown = JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown)
  if (!isMapping(row) || !isMapping(numbers)) return row
  for (const key of Object.keys(row)) {
    if (!isJson(key) && !isMapping(numbers[key])) row[key] = numbers[key]
  }
  return row
}

/** Whether a value has others in it: an object, or a list. */
function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
