import { createHash } from 'node:crypto'
import {
  baseOf,
  checkView,
  compareText,
  readCast,
  type Condition,
  type PickedField,
  type SchemaField,
  type ViewDescription,
} from '../src/index.ts'
import { compares, inNaturalOrder, inOrderOf, type Field } from './reference-comparison.ts'
import {
  textOfSample,
  type SampleDataset,
  type SampleItem,
  type SampleValue,
  type World,
} from './sample-world.ts'

/**
 * The items of a dataset, in order and as it shows them, by the plainest means: arrays, nothing kept,
 * written from the language reference and not from the checker. Of a state, those that it had when its
 * repository had `at` items.
 */
export function evaluate(world: World, name: string, at = Infinity): SampleItem[] {
  const dataset = find(world, name)
  if ('items' in dataset) return dataset.items.slice(0, at)
  const { where, split, order = [], limit = Infinity } = dataset.view
  const { name: base } = baseOf(dataset.view)
  return evaluateBase(world, dataset.view, at)
    .filter((item) => where === undefined || holds(where, { world, item, of: base }))
    .filter((item) => split === undefined || inPart(split, { world, item, of: base }))
    .toSorted((a, b) => inOrder(order, { world, item: a, of: base }, { world, item: b, of: base }))
    .slice(0, limit)
    .map((item) => show(world, dataset.view, item))
}

function evaluateBase(world: World, view: ViewDescription, at?: number): SampleItem[] {
  const { name, at: baseAt = Infinity } = baseOf(view)
  const evaluated = view.current === true ? evaluateCurrent : evaluate
  return evaluated(world, name, Math.min(at ?? Infinity, baseAt))
}

/** The items of a dataset, or of a state of it, that hold then: none replaces them, and they withdraw none. */
export function evaluateCurrent(world: World, name: string, at = Infinity): SampleItem[] {
  const superseded = supersededIn(world, name, at)
  return evaluate(world, name, at).filter(({ id }) => !superseded.has(id))
}

/** The ids of the items of a dataset's repository that do not hold in a state of it. */
export function supersededIn(world: World, name: string, at: number): Set<number> {
  const superseded = new Set<number>()
  for (const { id, replaces } of repoItems(world, name, at)) {
    if (replaces !== undefined) superseded.add(replaces.id)
    if (replaces?.withdraws === true) superseded.add(id)
  }
  return superseded
}

function repoItems(world: World, name: string, at: number): readonly SampleItem[] {
  const dataset = find(world, name)
  if ('items' in dataset) return dataset.items.slice(0, at)
  const { name: base, at: baseAt = Infinity } = baseOf(dataset.view)
  return repoItems(world, base, Math.min(at, baseAt))
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

/** How many items the repository of a dataset has. */
export function headOf(world: World, name: string): number {
  const dataset = find(world, name)
  return 'items' in dataset ? dataset.items.length : headOf(world, baseOf(dataset.view).name)
}

function show(world: World, view: ViewDescription, item: SampleItem): SampleItem {
  const data: SampleItem['data'] = {}
  const base = baseOf(view).name
  const names = schemaOf(world, base)!.map((field) => field.name)
  const { fields = names } = view
  const picked = Array.isArray(fields) ? fields : names.filter((n) => !fields.except.includes(n))
  for (const each of picked) {
    const { name, from, as } = typeof each === 'string' ? { name: each, from: each } : each
    const at = { world, item, of: base }
    const value = valueAt(from, at)
    if (value === undefined) continue
    const shown =
      as === undefined
        ? value
        : cast(value, fieldAt(from, at).type, schemaOf(world, view.name)!.find(named(name))!)
    if (shown !== undefined) data[name] = shown
  }
  return { ...item, data }
}

const named = (name: string) => (field: SchemaField) => field.name === name

/** Casts a value as a file with its text would be read. */
function cast(value: SampleValue, from: string, to: SchemaField): SampleValue | undefined {
  const json = typeof value === 'object' && 'json' in value ? value.json : undefined
  const text = typeof json === 'string' ? json : textOfSample(value)
  const read = readCast(to, from === 'timestamp' && to.type === 'date' ? text.slice(0, 10) : text)
  return to.type === 'json' && read !== undefined ? { json: read } : (read as SampleValue)
}

/**
 * The items of a dataset of which some text, or the first text of something that they refer to, has all words in it;
 * undefined where there is none.
 */
export function searchItems(
  world: World,
  name: string,
  q: string,
  at?: number,
): SampleItem[] | undefined {
  const paths = schemaOf(world, name)!.flatMap((field): string[] => {
    if (field.type === 'string' || field.type === 'url') return [field.name]
    if (field.type !== 'reference') return []
    const label = schemaOf(world, field.target)!.find(({ type }) => type === 'string')
    return label === undefined ? [] : [`${field.name}.${label.name}`]
  })
  if (paths.length === 0) return undefined
  return evaluate(world, name, at).filter((item) => {
    const here = { world, item, of: name }
    return paths.some((path) => compares({ search: q }, valueAt(path, here), fieldAt(path, here)))
  })
}

/** How many items of a view have a value of a field that it cannot cast. */
export function countUnparsed(world: World, name: string, field: string): number {
  const dataset = find(world, name)
  if ('items' in dataset) return 0
  const { where, split, fields } = dataset.view
  const { name: base } = baseOf(dataset.view)
  const { from } = (fields as PickedField[]).find((each) => each.name === field)!
  return evaluateBase(world, dataset.view)
    .filter((item) => where === undefined || holds(where, { world, item, of: base }))
    .filter((item) => split === undefined || inPart(split, { world, item, of: base }))
    .filter((item) => valueAt(from, { world, item, of: base }) !== undefined)
    .filter((item) => !(field in show(world, dataset.view, item).data)).length
}

/** An item of a dataset by its id, whether or not a `limit` keeps it. */
function itemById(world: World, name: string, id: number): SampleItem {
  const dataset = find(world, name)
  return 'items' in dataset
    ? dataset.items.find((item) => item.id === id)!
    : show(world, dataset.view, itemById(world, baseOf(dataset.view).name, id))
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
    return compares(value, valueAt(key, at), fieldAt(key, at))
  })
}

/** The field at the end of a path; of what every row has, its name. */
function fieldAt(path: string, { world, of }: Pick<At, 'world' | 'of'>): Field {
  const [name, ...rest] = path.split('.') as [string, ...string[]]
  if (name === 'id' || name === 'createdAt') return { type: name }
  const field = schemaOf(world, of)!.find((each) => each.name === name)!
  if (rest.length === 0) return field
  return fieldAt(rest.join('.'), { world, of: (field as { target: string }).target })
}

/** A sort is stable (ECMA-262 §23.1.3.30), so ties stand as they do in the base. */
function inOrder(order: readonly string[], a: At, b: At): number {
  for (const key of order) {
    const path = key.replace(/^-?(natural:)?/, '')
    const [left, right] = [valueAt(path, a), valueAt(path, b)]
    if (left === undefined && right === undefined) continue
    if (left === undefined) return 1
    if (right === undefined) return -1
    const difference = key.includes('natural:')
      ? inNaturalOrder(left as string, right as string)
      : inOrderOf(fieldAt(path, a), left, right)
    if (difference !== 0) return key.startsWith('-') ? -difference : difference
  }
  return 0
}

function inPart({ by, salt = '', parts, take }: NonNullable<ViewDescription['split']>, at: At) {
  const value = by === undefined ? at.item.id : valueAt(by, at)
  const key = value === undefined ? '' : textOfSample(value)
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
