/**
 * The value that a text of JSON is, to be shown formatted; undefined where it is none, or has a number that
 * a double may not hold and that would be shown as another one.
 */
export function readableJson(text: string): { value: unknown } | undefined {
  if (/\d{16}/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    // Not JSON, or deeper than the parser goes.
    return undefined
  }
}
