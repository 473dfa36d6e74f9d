import * as fc from 'fast-check'
import {
  checkView,
  compareText,
  fieldsAlong,
  operators,
  operatorsFor,
  rowFields,
  type Literal,
  type Operator,
  type RowField,
  type SchemaField,
  type ValueType,
} from '../src/index.ts'
import { schemaOf, type SampleDataset, type World } from './reference-evaluator.ts'

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

/** A view on a dataset of a world, most often on the newest; canonical, as it is stored. */
export function viewOn(world: World, texts: fc.Arbitrary<string>): fc.Arbitrary<SampleDataset> {
  const names = world.map((dataset) => dataset.name)
  const name = `view${world.length}`
  return fc.constantFrom(...names, ...names.map(() => names.at(-1)!)).chain((base) => {
    const paths = pathsFrom(world, base, 2)
    return fc
      .record({
        where: maybe(condition(paths, texts, 2)),
        split: maybe(maybe(maybe(split(paths)))),
        order: maybe(order(paths)),
        limit: maybe(maybe(maybe(fc.integer({ min: 1, max: 15 })))),
        fields: maybe(fields(paths)),
      })
      .map((clauses) => {
        const written = Object.entries({ name, base, ...clauses }).filter(
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
      fc.tuple(...found.map(({ path, field }) => entry(path, comparison(field.type, texts)))),
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

function comparison(type: ValueType, texts: fc.Arbitrary<string>): fc.Arbitrary<object> {
  return oneOrTwo(operatorsFor(type).map(({ name }) => name))
    .chain((names) =>
      fc.tuple(...names.map((name) => entry(name, operand(operators[name], type, texts)))),
    )
    .map((entries) => Object.fromEntries(entries))
}

function operand(
  operator: Operator,
  type: ValueType,
  texts: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> {
  const literal = literalOf(type, texts)
  switch (operator.operand) {
    case 'literal':
      return literal
    case 'list':
      return fc.array(literal, { minLength: 1, maxLength: 3 })
    case 'range':
      return fc.tuple(literal, literal).map((ends) => ends.toSorted(inOrder))
    case 'text':
      return texts
    case 'flag':
      return fc.boolean()
    case 'measure': {
      const { measure } = operator
      return fc.oneof(literalOf(measure, texts), comparison(measure, texts))
    }
  }
}

function inOrder(a: Literal, b: Literal): number {
  return typeof a === 'string' ? compareText(a, b as string) : a - (b as number)
}

function literalOf(type: ValueType, texts: fc.Arbitrary<string>): fc.Arbitrary<Literal> {
  switch (type) {
    case 'string':
      return texts
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
  const keys = paths.filter(({ field }) => field.type !== 'binary').map(({ path }) => path)
  return fc.oneof(
    fc.constantFrom(...keys).chain(upOrDown),
    fc
      .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 })
      .chain((picked) => fc.tuple(...picked.map(upOrDown))),
  )
}

function fields(paths: readonly Found[]): fc.Arbitrary<unknown> {
  const shown = paths.filter(({ field }) => rowFields.every(({ type }) => type !== field.type))
  const direct = shown.map(({ path }) => path).filter((path) => !path.includes('.'))
  const picked = fc
    .uniqueArray(fc.constantFrom(...shown.map(({ path }) => path)), { minLength: 1, maxLength: 4 })
    .map((from) => from.map((path, index) => ({ name: 'cbad'[index]!, from: path })))
  const plain = fc.uniqueArray(fc.constantFrom(...direct), { minLength: 1, maxLength: 4 })
  const except = fc
    .uniqueArray(fc.constantFrom(...direct), { minLength: 1, maxLength: 4 })
    .filter((names) => names.length < direct.length)
    .map((names) => ({ except: names }))
  return fc.oneof(picked, plain, ...(direct.length > 1 ? [except] : []))
}

function upOrDown(path: string): fc.Arbitrary<string> {
  return fc.constantFrom(path, `-${path}`)
}
