import { limits } from '../limits.ts'
import { canonicalJson, type Json } from './canonical-json.ts'
import { InexactNumber, parseExactJson } from './exact-json.ts'
import { countKeys, outlineJson } from './json-outline.ts'
import {
  accept,
  canonicalOnly,
  refuse,
  shorten,
  type FieldOf,
  type Read,
  type TextType,
} from './type-definition.ts'

export type JsonField = FieldOf<'json'>

/** Any JSON but null by itself, which would not be told from a missing value. */
export type JsonValue = Exclude<Json, null>

const tooLarge = `must be at most ${limits.jsonValueBytes} bytes`

export const json: TextType<JsonField, JsonValue> = {
  noun: 'JSON',
  summary: 'any JSON value but null by itself',
  isOrdered: false,
  inferred: undefined,
  scale: undefined,
  operandInput: {},
  operators: ['search', 'empty'],
  text: {
    cell: 'text',
    toCell: canonicalJson,
    fromCell: (cell) => JSON.parse(String(cell)) as JsonValue,
    toText: canonicalJson,
    fromText: (text) => canonicalOnly(text, readJson(text), canonicalJson),
    fromFile: (input) => readJson(String(input)),
    fromJson: readJsonValue,
    forms: 'JSON as it is in NDJSON; elsewhere its text, in any spelling',
    maxBytes: () => limits.jsonValueBytes,
    tooLong: () => tooLarge,
  },
}

const noJson = 'must be JSON'

/** Checks a value that `parseExactJson` has parsed from a text in which no key is there twice. */
function readJsonValue(value: unknown): Read<JsonValue> {
  return check(value as Json)
}

function readJson(text: string): Read<JsonValue> {
  if (new TextEncoder().encode(text).length > limits.jsonValueBytes) return refuse(tooLarge)
  const { depth, keys } = outlineJson(text)
  if (depth > limits.jsonValueDepth) return refuse(tooDeep)
  let value: Json
  try {
    value = parseExactJson(text) as Json
  } catch {
    return refuse(noJson)
  }
  const hasKeyTwice = typeof value === 'object' && value !== null && countKeys(value) < keys
  return hasKeyTwice ? refuse('must not have the same key twice') : check(value)
}

function check(value: Json): Read<JsonValue> {
  if (value === null) return refuse('must not be null by itself; leave it out')
  const reason = invalidJson(value, [])
  if (reason !== undefined) return refuse(reason)
  const text = canonicalJson(value)
  return new TextEncoder().encode(text).length > limits.jsonValueBytes
    ? refuse(tooLarge)
    : accept(value)
}

function invalidJson(
  value: Json | InexactNumber,
  path: readonly (string | number)[],
): string | undefined {
  if (path.length >= limits.jsonValueDepth) return tooDeep
  if (value instanceof InexactNumber) return inexact(value, path)
  if (typeof value === 'string') return value.isWellFormed() ? undefined : halfSurrogate
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must have no infinity'
  if (typeof value !== 'object' || value === null) {
    return value === null || typeof value === 'boolean' ? undefined : noJson
  }
  if (Array.isArray(value))
    return first([...value.entries()], ([at, each]) => invalidJson(each, [...path, at]))
  return first(Object.entries(value), ([key, each]) =>
    key.isWellFormed() ? invalidJson(each, [...path, key]) : halfSurrogate,
  )
}

function inexact({ source }: InexactNumber, path: readonly (string | number)[]): string {
  const place = path.length === 0 ? '' : ` at ${shorten(path.join('.'))}`
  return `has the number ${shorten(source)}${place}, which no 64-bit floating point number keeps: write it as a string`
}

const tooDeep = `must nest at most ${limits.jsonValueDepth} levels`
const halfSurrogate = 'must not contain half of a surrogate pair'

function first<T>(values: readonly T[], find: (value: T) => string | undefined) {
  for (const value of values) {
    const problem = find(value)
    if (problem !== undefined) return problem
  }
  return undefined
}
