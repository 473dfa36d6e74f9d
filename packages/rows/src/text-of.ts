/** A value of a file as text, as an import takes it; undefined where it is no scalar. */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return value instanceof Date ? value.toISOString() : undefined
  }
}
