import { limits } from '@vitrine/contract/limits'
import { countKeys, outlineJson } from '@vitrine/contract/values/json-outline'
import { decodeBlock } from './decode-block.ts'
import { FlatObjects } from './flat-objects.ts'
import { parseJsonRow } from './parse-json-row.ts'
import { type ReadBlock, type RowVisitor, notUtf8 } from '../row-block.ts'

/** Builds rows of the members of objects. `About` is the cached result of looking up a key. */
export type MemberReader<Row, About> = {
  aboutKey: (key: string) => About
  /** Begins a row, which may be dropped again. */
  begin: (line: number) => Row
  /** Adds a member to a row. A double beyond the integers that are counted exactly comes as its text. */
  add: (row: Row, key: string, about: About, value: unknown) => void
  /** Whether values under a key are JSON; left out, none are. */
  isJson?: (about: About) => boolean
}

type Json = Record<string, unknown>

const lineFeed = 0x0a

/** Prepares to read the rows of blocks of NDJSON, one object a line; empty lines are passed over. */
export function prepareNdjson<Row, About>(
  members: MemberReader<Row, About>,
): (block: Uint8Array, visitor: RowVisitor<Row>) => ReadBlock {
  const { aboutKey, begin, add, isJson } = members
  const flat = new FlatObjects(aboutKey, add)
  const isJsonKey = isJson && ((key: string) => isJson(aboutKey(key)))
  const readFlat = (
    text: string,
    { from, to, line }: { from: number; to: number; line: number },
  ) => {
    const row = begin(line)
    return flat.read(row, text, from, to) ? row : undefined
  }
  const readAny = (text: string, line: number, { row: visit, malformed }: RowVisitor<Row>) => {
    const json = readLine(text, isJsonKey)
    if (typeof json === 'string') malformed(line, json)
    if (typeof json !== 'object') return
    const row = begin(line)
    for (const key in json) add(row, key, aboutKey(key), json[key])
    visit(row, line)
  }
  return (block, visitor) => {
    const { text, invalidLine } = decodeBlock(block, endOfFeed)
    let line = 0
    for (let from = 0; from < text.length; line += 1) {
      const end = text.indexOf('\n', from)
      const to = end === -1 ? text.length : end
      const row = isJson === undefined ? readFlat(text, { from, to, line }) : undefined
      if (row === undefined) readAny(text.slice(from, to), line, visitor)
      else visitor.row(row, line)
      from = to + 1
    }
    if (invalidLine === undefined) return { lines: line }
    return { lines: line, unreadable: { line, reason: notUtf8 } }
  }
}

/** The object of a line, or why it is none; undefined where it is empty. */
function readLine(text: string, isJson?: (key: string) => boolean): Json | string | undefined {
  const { depth, keys } = outlineJson(text)
  if (depth > limits.rowDepth) return `nests deeper than ${limits.rowDepth} levels`
  let json: unknown
  try {
    json = parseJsonRow(text, isJson)
  } catch {
    return text.trim() === '' ? undefined : `is not valid JSON${hintFor(text)}`
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return 'is not a JSON object'
  }
  return countKeys(json) < keys ? 'has the same key twice' : (json as Json)
}

/** Strings, and one that does not end: each character is looked at once. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)/g
/** No hint is worth the time for a longer line. */
const hintedMax = 10_000
const hints: readonly [RegExp, hint: string][] = [
  [/\b(?:NaN|Infinity)\b/, 'it has no NaN and no Infinity: write null'],
  [/\b(?:None|True|False)\b|'/, 'this is how Python prints an object: write it with json.dumps'],
  [/\}\s*,\s*$/, 'it has a comma behind its object: leave it out, or write an array'],
  [/\}\s*\{/, 'it has more than one object: write each on a line of its own'],
]

/** Returns what to do about a line of a program that writes something like JSON, as the end of a sentence. */
function hintFor(line: string): string {
  if (line.length > hintedMax) return ''
  const rest = line.replace(strings, '')
  const hint = hints.find(([pattern]) => pattern.test(rest))?.[1]
  return hint === undefined ? '' : `, ${hint}`
}

function endOfFeed(bytes: Uint8Array, from: number): number {
  return bytes.indexOf(lineFeed, from) + 1 || bytes.length
}
