/** Measures of a JSON text, taken from its punctuation. */
export type JsonOutline = {
  /** Objects and lists within each other, at most. */
  depth: number
  /** Keys as they are written, of all objects. */
  keys: number
}

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c]
const [openingBracket, closingBracket, opening, closing] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads the outline of a text in one pass and constant memory, before `JSON.parse` makes anything of it.
 * The result for a text that is no JSON is undefined behaviour.
 */
export function outlineJson(text: string): JsonOutline {
  let open = 0
  let depth = 0
  let keys = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
    } else if (code === opening || code === openingBracket) {
      open += 1
      if (open > depth) depth = open
    } else if (code === closing || code === closingBracket) {
      open -= 1
    } else if (code === colon) {
      keys += 1
    }
  }
  return { depth, keys }
}

/** Returns where the string that begins at `from` ends, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
}

/** The keys of all objects in a value, each once: `JSON.parse` keeps the last where one is written twice. */
export function countKeys(value: object): number {
  const held = Object.values(value)
  let keys = Array.isArray(value) ? 0 : held.length
  for (const each of held) {
    if (typeof each === 'object' && each !== null) keys += countKeys(each)
  }
  return keys
}
