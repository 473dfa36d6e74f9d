export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** JSON in the canonical form of RFC 8785: keys in the order of their UTF-16 code units, no spaces. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`)
  return `{${members.join(',')}}`
}

/** A value as text where its type is not known; of a JSON field, text stands without its quotes. */
export function plainText(value: Json): string {
  return typeof value === 'object' ? canonicalJson(value) : String(value)
}
