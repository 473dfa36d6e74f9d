import {
  compareText,
  foldCase,
  foldSearch,
  mimeMatches,
  type Comparison,
  type SchemaField,
} from '../src/index.ts'
import { textOfSample, type SampleBinary, type SampleValue } from './sample-world.ts'

/** Field at the end of a path, one that every item has, or a measure of a value. */
export type Field = SchemaField | { type: 'id' | 'createdAt' | 'measure' }
type Read = (literal: unknown) => unknown

/** A day in a comparison of moments is its first one. */
function literalOf({ type }: Field): Read {
  if (type === 'createdAt') return (literal) => Date.parse(String(literal))
  if (type !== 'timestamp') return (literal) => literal
  return (literal) =>
    String(literal).includes('T') ? String(literal) : `${String(literal)}T00:00:00Z`
}

/** Compares two values: negative when `a` comes first. */
export function inOrderOf(field: Field, a: unknown, b: unknown): number {
  if (field.type === 'timestamp') return Number(microseconds(a) - microseconds(b))
  if (field.type === 'duration') return lengthOf(a) - lengthOf(b)
  if (field.type === 'string' && field.choices !== undefined) {
    return field.choices.indexOf(a as string) - field.choices.indexOf(b as string)
  }
  return typeof a === 'string' ? compareText(a, b as string) : Number(a) - Number(b)
}

function microseconds(moment: unknown): bigint {
  const [, seconds, fraction = ''] = /^([^.Z]+)\.?(\d*)Z$/.exec(String(moment))!
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

/** Microseconds of a canonical duration. */
function lengthOf(duration: unknown): number {
  const text = String(duration)
  const units = { D: 86_400e6, H: 3600e6, M: 60e6, S: 1e6 }
  const parts = [...text.matchAll(/([\d.]+)([DHMS])/g)].map(([, count, unit]) =>
    Math.round(Number(count) * units[unit as keyof typeof units]),
  )
  const sum = parts.reduce((total, part) => total + part, 0)
  return text.startsWith('-') ? -sum : sum
}

/** Whether a comparison holds of a value, of which `undefined` stands for none. */
export function compares(
  comparison: Comparison,
  value: SampleValue | undefined,
  field: Field,
): boolean {
  const read = literalOf(field)
  return Object.entries(comparison).every(([operator, operand]) =>
    compare(operator, operand, { value, field, read }),
  )
}

function compare(
  name: string,
  operand: unknown,
  { value, field, read }: { value: SampleValue | undefined; field: Field; read: Read },
) {
  const byValue = (a: unknown, b: unknown) => inOrderOf(field, a, b)
  const list = () => (operand as unknown[]).map(read)
  switch (name) {
    case 'neq':
      return value !== read(operand)
    case 'nin':
      return !list().includes(value)
    case 'empty':
      return operand === (value === undefined || value === '')
  }
  const binary = value as SampleBinary | undefined
  if (name === 'sha256') return measures(operand, binary?.sha256)
  if (name === 'bytes') return measures(operand, binary?.bytes)
  if (name === 'mime') return ofMime(operand, binary?.mime)
  if (name === 'length') return measures(operand, codePoints(value as string | undefined))
  if (value === undefined) return false
  switch (name) {
    case 'eq':
      return value === read(operand)
    case 'in':
      return list().includes(value)
    case 'lt':
      return byValue(value, read(operand)) < 0
    case 'lte':
      return byValue(value, read(operand)) <= 0
    case 'gt':
      return byValue(value, read(operand)) > 0
    case 'gte':
      return byValue(value, read(operand)) >= 0
    case 'between':
      return byValue(value, list()[0]) >= 0 && byValue(value, list()[1]) <= 0
    case 'contains':
      return (value as string).includes(operand as string)
    case 'icontains':
      return foldCase(value as string).includes(foldCase(operand as string))
    case 'search': {
      const text = foldSearch(textOfSample(value))
      const words = foldSearch(operand as string).split(/\s+/u)
      return words.every((word) => text.includes(word))
    }
    case 'starts_with':
      return (value as string).startsWith(operand as string)
    case 'ends_with':
      return (value as string).endsWith(operand as string)
    default:
      throw new Error(`the reference evaluator does not know ${name}`)
  }
}

function codePoints(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Array.from(text).length
}

function measures(operand: unknown, measured: string | number | undefined): boolean {
  return typeof operand === 'object'
    ? compares(operand as Comparison, measured, { type: 'measure' })
    : measured === operand
}

function ofMime(operand: unknown, mime: string | undefined): boolean {
  const matches = (pattern: unknown) => mime !== undefined && mimeMatches(pattern as string, mime)
  if (typeof operand === 'string') return matches(operand)
  return Object.entries(operand as Comparison).every(([name, literal]) => {
    const some = (Array.isArray(literal) ? literal : [literal]).some(matches)
    return name === 'eq' || name === 'in' ? some : !some
  })
}

/** Digits as numbers, the rest by code point; where all is the same, the texts by code point. */
export function inNaturalOrder(a: string, b: string): number {
  const parts = (text: string) => text.match(/[0-9]+|[^0-9]/gu) ?? []
  const [left, right] = [parts(a), parts(b)]
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const [x, y] = [left[index]!, right[index]!]
    const areNumbers = /[0-9]/.test(x) && /[0-9]/.test(y)
    const difference = areNumbers ? Number(BigInt(x) - BigInt(y)) : compareText(x, y)
    if (difference !== 0) return difference
  }
  return left.length - right.length || compareText(a, b)
}
