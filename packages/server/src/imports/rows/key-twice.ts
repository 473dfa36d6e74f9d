const beforeColon = /"\s*:/g
const stringAndColon = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Whether an object of some JSON has the same key twice, of which `JSON.parse` keeps the last. `json` is
 * what it made of `text`.
 */
export function hasKeyTwice(text: string, json: object): boolean {
  const keys = countKeys(json)
  // Also counts texts that begin with a colon, so it is never less than there are keys.
  let colons = 0
  beforeColon.lastIndex = 0
  while (beforeColon.test(text)) colons += 1
  if (colons === keys) return false
  let written = 0
  for (const [, colon] of text.matchAll(stringAndColon)) if (colon !== undefined) written += 1
  return written > keys
}

/** The keys of all objects in a value. */
function countKeys(value: object): number {
  if (Array.isArray(value)) return countWithin(value)
  const held = Object.values(value)
  return held.length + countWithin(held)
}

function countWithin(values: readonly unknown[]): number {
  let keys = 0
  for (const value of values) {
    if (typeof value === 'object' && value !== null) keys += countKeys(value)
  }
  return keys
}
