import { createHash } from 'node:crypto'
import {
  checkView,
  compareText,
  foldCase,
  mimeMatches,
  type Comparison,
  type Condition,
  type SchemaField,
  type ViewDescription,
} from '../src/index.ts'

/** A binary value, by all that the language can ask of it. */
export type SampleBinary = { sha256: string; mime: string; bytes: number }
export type SampleValue = string | number | SampleBinary

/** An item; a missing value has no entry. `createdAt` is in milliseconds since 1970. */
export type SampleItem = { id: number; createdAt: number; data: Record<string, SampleValue> }

/** A repository with its items in commit order, or a view in canonical form. */
export type SampleDataset =
  | { name: string; schema: SchemaField[]; items: SampleItem[] }
  | { name: string; view: ViewDescription }

/** Datasets in the order of their creation: each refers only to earlier ones, or to itself. */
export type World = readonly SampleDataset[]

/**
 * The items of a dataset, in order and as it shows them, by the plainest means: arrays, nothing kept,
 * written from the language reference and not from the checker.
 */
export function evaluate(world: World, name: string): SampleItem[] {
  const dataset = find(world, name)
  if ('items' in dataset) return dataset.items
  const { base, where, split, order = [], limit = Infinity } = dataset.view
  return evaluate(world, base)
    .filter((item) => where === undefined || holds(where, { world, item, of: base }))
    .filter((item) => split === undefined || inPart(split, { world, item, of: base }))
    .toSorted((a, b) => inOrder(order, { world, item: a, of: base }, { world, item: b, of: base }))
    .slice(0, limit)
    .map((item) => show(world, dataset.view, item))
}

const inferred = new WeakMap<SampleDataset, SchemaField[]>()

/** The schema of a dataset of a world. */
export function schemaOf(world: World, name: string): SchemaField[] | undefined {
  const dataset = world.find((each) => each.name === name)
  if (dataset === undefined || 'items' in dataset) return dataset?.schema
  const known = inferred.get(dataset)
  if (known !== undefined) return known
  const checked = checkView(dataset.view, (other) => schemaOf(world, other))
  if (!checked.ok) throw new Error(`${name}: ${JSON.stringify(checked.problems)}`)
  inferred.set(dataset, checked.value.schema)
  return checked.value.schema
}

type At = { world: World; item: SampleItem; of: string }

function find(world: World, name: string): SampleDataset {
  return world.find((dataset) => dataset.name === name)!
}

function show(world: World, view: ViewDescription, item: SampleItem): SampleItem {
  const data: SampleItem['data'] = {}
  const names = schemaOf(world, view.base)!.map((field) => field.name)
  const { fields = names } = view
  const picked = Array.isArray(fields) ? fields : names.filter((n) => !fields.except.includes(n))
  for (const each of picked) {
    const { name, from } = typeof each === 'string' ? { name: each, from: each } : each
    const value = valueAt(from, { world, item, of: view.base })
    if (value !== undefined) data[name] = value
  }
  return { ...item, data }
}

/** An item of a dataset by its id, whether or not a `limit` keeps it. */
function itemById(world: World, name: string, id: number): SampleItem {
  const dataset = find(world, name)
  return 'items' in dataset
    ? dataset.items.find((item) => item.id === id)!
    : show(world, dataset.view, itemById(world, dataset.view.base, id))
}

function valueAt(path: string, { world, item, of }: At): SampleValue | undefined {
  const [name, ...rest] = path.split('.') as [string, ...string[]]
  if (name === 'id' || name === 'createdAt') return item[name]
  const value = item.data[name]
  if (rest.length === 0 || value === undefined) return value
  const field = schemaOf(world, of)!.find((each) => each.name === name)
  if (field?.type !== 'reference') throw new Error(`${name} of ${of} is no reference`)
  const next = itemById(world, field.target, Number(value))
  return valueAt(rest.join('.'), { world, item: next, of: field.target })
}

function holds(condition: Condition, at: At): boolean {
  return Object.entries(condition).every(([key, value]) => {
    if (key === 'all') return (value as Condition[]).every((each) => holds(each, at))
    if (key === 'any') return (value as Condition[]).some((each) => holds(each, at))
    if (key === 'not') return !holds(value as Condition, at)
    const read = /(^|\.)createdAt$/.test(key) ? milliseconds : (literal: unknown) => literal
    return compares(value, valueAt(key, at), read)
  })
}

type Read = (literal: unknown) => unknown

function milliseconds(literal: unknown): number {
  return Date.parse(String(literal))
}

function compares(comparison: Comparison, value: SampleValue | undefined, read: Read): boolean {
  return Object.entries(comparison).every(([operator, operand]) =>
    compare(operator, operand, value, read),
  )
}

function compare(name: string, operand: unknown, value: SampleValue | undefined, read: Read) {
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
    ? compares(operand as Comparison, measured, (literal) => literal)
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

function byValue(a: unknown, b: unknown): number {
  return typeof a === 'string' ? compareText(a, b as string) : (a as number) - (b as number)
}

/** A sort is stable (ECMA-262 §23.1.3.30), so ties stand as they do in the base. */
function inOrder(order: readonly string[], a: At, b: At): number {
  for (const key of order) {
    const path = key.replace(/^-/, '')
    const [left, right] = [valueAt(path, a), valueAt(path, b)]
    if (left === undefined && right === undefined) continue
    if (left === undefined) return 1
    if (right === undefined) return -1
    const difference = byValue(left, right)
    if (difference !== 0) return key.startsWith('-') ? -difference : difference
  }
  return 0
}

function inPart({ by, salt = '', parts, take }: NonNullable<ViewDescription['split']>, at: At) {
  const value = by === undefined ? at.item.id : valueAt(by, at)
  const key = typeof value === 'object' ? value.sha256 : String(value ?? '')
  const hash = createHash('sha256').update(`${salt}\0${key}`).digest('hex')
  const sum = Object.values(parts).reduce((total, weight) => total + weight, 0)
  let point = BigInt(`0x${hash}`) / 2n ** 196n
  point %= BigInt(sum)
  for (const name of Object.keys(parts).toSorted(compareText)) {
    if (point < parts[name]!) return name === take
    point -= BigInt(parts[name]!)
  }
  throw new Error('no part holds the point')
}
