/** Formats a scalar as text; undefined if that would lose precision. */
export function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return value instanceof Date ? value.toISOString() : undefined
  }
}
