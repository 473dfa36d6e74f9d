/** A scalar of a format as text; undefined where it is none that is exact as text. */
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
