import * as fc from 'fast-check'
import {
  castsOf,
  checkView,
  compareText,
  fieldsAlong,
  isRowField,
  operators,
  operatorsFor,
  rowFields,
  stateName,
  textOf,
  typeOf,
  type Literal,
  type Operator,
  type RowField,
  type SchemaField,
  type ValueType,
} from '../src/index.ts'
import {
  castChoices,
  dates,
  durations,
  integers,
  numbers,
  timestamps,
  urls,
} from './value-arbitraries.ts'
import { headOf, schemaOf } from './reference-evaluator.ts'
import type { SampleDataset, World } from './sample-world.ts'

type Found = { path: string; field: SchemaField | RowField }

/** Every path from a dataset that follows at most so many references. */
function pathsFrom(world: World, dataset: string, hops: number, before: string[] = []): Found[] {
  const fields = fieldsAlong(before, dataset, (name) => schemaOf(world, name)) ?? []
  return fields.flatMap((field) => {
    const names = [...before, field.name]
    const here = { path: names.join('.'), field }
    return field.type === 'reference' && hops > 0
      ? [here, ...pathsFrom(world, dataset, hops - 1, names)]
      : [here]
  })
}

/** A view on a dataset of a world, most often on the newest; canonical, as it is stored. It may be on a state. */
export function viewOn(
  world: World,
  texts: fc.Arbitrary<string>,
  { withStates = false }: { withStates?: boolean } = {},
): fc.Arbitrary<SampleDataset> {
  const names = world.map((dataset) => dataset.name)
  const name = `view${world.length}`
  return fc.constantFrom(...names, ...names.map(() => names.at(-1)!)).chain((base) => {
    const paths = pathsFrom(world, base, 2)
    const head = headOf(world, base)
    return fc
      .record({
        at: withStates
          ? maybe(maybe(fc.integer({ min: Math.floor(head / 2), max: head })))
          : fc.constant(undefined),
        current: withStates ? maybe(maybe(fc.constant(true))) : fc.constant(undefined),
        where: maybe(condition(paths, texts, 2)),
        split: maybe(maybe(maybe(split(paths)))),
        order: maybe(order(paths)),
        limit: maybe(maybe(maybe(fc.integer({ min: 1, max: 15 })))),
        fields: maybe(fields(paths)),
      })
      .map(({ at, ...clauses }) => {
        const state = stateName({ name: base, ...(at !== undefined && { at }) })
        const written = Object.entries({ name, base: state, ...clauses }).filter(
          ([, v]) => v !== undefined,
        )
        const checked = checkView(Object.fromEntries(written), (each) => schemaOf(world, each))
        if (!checked.ok) throw new Error(JSON.stringify([written, checked.problems]))
        return { name, view: checked.value.description }
      })
  })
}

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 })
}

function condition(
  paths: readonly Found[],
  texts: fc.Arbitrary<string>,
  depth: number,
): fc.Arbitrary<object> {
  const leaf = oneOrTwo(paths)
    .chain((found) =>
      fc.tuple(...found.map(({ path, field }) => entry(path, comparison(field, texts)))),
    )
    .map((entries) => Object.fromEntries(entries))
  if (depth === 0) return leaf
  const inner = condition(paths, texts, depth - 1)
  const inners = fc.array(inner, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.record({ all: inners }) },
    { weight: 3, arbitrary: fc.record({ any: inners }) },
    { weight: 1, arbitrary: fc.record({ not: inner }) },
    { weight: 1, arbitrary: fc.tuple(leaf, inner).map(([a, b]) => ({ ...a, ...b })) },
  )
}

/** Mostly one, as what must all hold seldom does. */
function oneOrTwo<T>(from: readonly T[]): fc.Arbitrary<T[]> {
  return fc
    .constantFrom(1, 1, 1, 2)
    .chain((maxLength) => fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength }))
}

function entry<T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<[string, T]> {
  return value.map((each) => [key, each])
}

/** Subject of a comparison: a field, one that every row has, or a measure. */
type Compared = { type: ValueType; choices?: string[] }

function comparison(compared: Compared, texts: fc.Arbitrary<string>): fc.Arbitrary<object> {
  return oneOrTwo(operatorsFor(compared.type).map(({ name }) => name))
    .chain((names) =>
      fc.tuple(...names.map((name) => entry(name, operand(operators[name], compared, texts)))),
    )
    .map((entries) => Object.fromEntries(entries))
}

function operand(
  operator: Operator,
  compared: Compared,
  texts: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> {
  const literal = literalOf(compared, texts)
  switch (operator.operand) {
    case 'literal':
      return literal
    case 'list':
      return fc.array(literal, { minLength: 1, maxLength: 3 })
    case 'range':
      return fc.tuple(literal, literal).map((ends) => ends.toSorted(inOrder(compared)))
    case 'text':
      return texts
    case 'flag':
      return fc.boolean()
    case 'measure': {
      const { measure } = operator
      return fc.oneof(literalOf({ type: measure }, texts), comparison({ type: measure }, texts))
    }
  }
}

type Written = Literal | boolean

function inOrder({ type, choices }: Compared): (a: Written, b: Written) => number {
  return (a, b) => {
    if (choices !== undefined) return choices.indexOf(String(a)) - choices.indexOf(String(b))
    if (type === 'timestamp') return compareText(stored(a), stored(b))
    if (type === 'duration') return microsOf(a) - microsOf(b)
    return typeof a === 'string' ? compareText(a, b as string) : Number(a) - Number(b)
  }
}

function microsOf(duration: Written): number {
  return Number(textOf({ type: 'duration' })!.toCell(String(duration)))
}

function stored(moment: Written): string {
  const text = String(moment)
  return text.includes('T') ? text.slice(0, -1) : `${text}T00:00:00`
}

function literalOf(compared: Compared, texts: fc.Arbitrary<string>): fc.Arbitrary<Written> {
  switch (compared.type) {
    case 'string':
      return compared.choices === undefined ? texts : fc.constantFrom(...compared.choices)
    case 'integer':
      return integers
    case 'number':
      return numbers
    case 'boolean':
      return fc.boolean()
    case 'date':
      return dates
    case 'timestamp':
      return fc.oneof(timestamps, dates)
    case 'duration':
      return durations
    case 'url':
      return urls
    case 'json':
    case 'id':
    case 'reference':
      return fc.integer({ min: 1, max: 20 })
    case 'length':
    case 'bytes':
      return fc.nat({ max: 4 })
    case 'createdAt':
      return fc.constantFrom(
        '2026-01-01',
        '2026-01-01T00:00:00.001Z',
        '2026-01-01T00:00:01Z',
        '2026-01-02',
        '2026-01-03T00:00Z',
      )
    case 'mime':
      return fc.constantFrom('image/*', 'image/png', 'IMAGE/JPEG', 'text/plain', 'text/*')
    case 'sha256':
    case 'binary':
      return fc.constantFrom(
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
        '0'.repeat(64),
      )
  }
}

function split(paths: readonly Found[]): fc.Arbitrary<object> {
  const keys = paths.filter(({ field }) => field.type !== 'createdAt').map(({ path }) => path)
  return fc
    .record(
      {
        by: fc.constantFrom(...keys),
        salt: fc.constantFrom('', 'v1', 'ß'),
        parts: fc.constantFrom({ a: 1 }, { train: 3, test: 2 }, { x: 5, y: 5, z: 1 }),
      },
      { requiredKeys: ['parts'] },
    )
    .chain((written) =>
      fc.constantFrom(...Object.keys(written.parts)).map((take) => ({ ...written, take })),
    )
}

function order(paths: readonly Found[]): fc.Arbitrary<string | string[]> {
  const keys = paths
    .filter(({ field }) => isRowField(field) || typeOf(field).isOrdered)
    .map(({ path, field }) =>
      field.type === 'string' && field.choices === undefined
        ? fc.constantFrom(path, `natural:${path}`)
        : fc.constant(path),
    )
  return fc.oneof(
    fc.constantFrom(...keys).chain((key) => key.chain(upOrDown)),
    fc
      .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 })
      .chain((picked) => fc.tuple(...picked.map((key) => key.chain(upOrDown)))),
  )
}

function fields(paths: readonly Found[]): fc.Arbitrary<unknown> {
  const shown = paths.filter(({ field }) => rowFields.every(({ type }) => type !== field.type))
  const direct = shown.map(({ path }) => path).filter((path) => !path.includes('.'))
  const picked = fc
    .uniqueArray(fc.constantFrom(...shown), { minLength: 1, maxLength: 4 })
    .chain((from) => fc.tuple(...from.map((each, index) => pickedField('cbad'[index]!, each))))
  const plain = fc.uniqueArray(fc.constantFrom(...direct), { minLength: 1, maxLength: 4 })
  const except = fc
    .uniqueArray(fc.constantFrom(...direct), { minLength: 1, maxLength: 4 })
    .filter((names) => names.length < direct.length)
    .map((names) => ({ except: names }))
  return fc.oneof(picked, plain, ...(direct.length > 1 ? [except] : []))
}

function pickedField(name: string, { path, field }: Found): fc.Arbitrary<object> {
  const plain = { name, from: path }
  const types = isRowField(field) ? [] : castsOf(field.type)
  const casts = types.map((as) => fc.constant({ ...plain, as }))
  const isText = field.type === 'string' || types.includes('string')
  if (isText) casts.push(fc.constant({ ...plain, as: 'string', choices: castChoices }))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(plain) },
    fc.oneof(...casts, fc.constant(plain)),
  )
}

function upOrDown(path: string): fc.Arbitrary<string> {
  return fc.constantFrom(path, `-${path}`)
}
