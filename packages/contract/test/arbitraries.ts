import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import type { SchemaField } from '../src/index.ts'
import { anyText } from './any-text.ts'
import { evaluate } from './reference-evaluator.ts'
import type { SampleBinary, SampleDataset, SampleItem, SampleValue, World } from './sample-world.ts'
import { plainTypes, plainValues, sizes } from './value-arbitraries.ts'
import { viewOn } from './view-arbitrary.ts'

/** Texts that tell implementations apart: folding, code point order, patterns of SQL, numbers. */
const tellingTexts = [
  ['', ' ', 'a', 'A', 'ab', 'Ab', 'b', 'é', 'e\u0301', '\u0301', 'NULL', 'null'],
  ['ß', 'ẞ', 'ss', 'SS', 'aß', 'İ', 'i\u0307', 'ı', 'I', 'i', 'Σ', 'σ', 'ς', 'ΑΣ', 'ας', 'ﬃ'],
  ['😀', '😁', 'a😀', '𐐀', '𐐨', '\ue000', '\uffff', '\ud7ff', 'Ꭰ', 'ꭰ'],
  ['true', 'No', '20260131', '2026-01-31', '1e400', '5.', '[1]', '{}', '"a"', '1.50', ' 7'],
  ['a2', 'a10', 'a010', 'a10b', 'a2b9', '00', '9999999999', 'e\u0301 SS', 'ﬁ', 'é ①', 'が'],
  ['0', '9', '10', '010', '1e1', '-1', '1.0', '%', '_', 'a%', 'a_b', '\\', '*', "'", '"', '\n'],
].flat()

/** At most ten code points, none of them NUL or a surrogate. */
const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'A', 'ß', 'ss', 'Σ', '10') },
  { weight: 3, arbitrary: fc.constantFrom(...tellingTexts) },
  {
    weight: 1,
    arbitrary: anyText({ maxLength: 4 }),
  },
)

/** The bytes of every generated binary, by their digest. */
export const contents: ReadonlyMap<string, Uint8Array> = new Map(
  ['', 'a', 'ab', 'hello world'].map((text) => {
    const bytes = new TextEncoder().encode(text)
    return [createHash('sha256').update(bytes).digest('hex'), bytes]
  }),
)

const mimesOf: Record<string, string[]> = {
  'image/*': ['image/png', 'image/jpeg'],
  'text/plain': ['text/plain'],
}

/** Moments of one month, often the same: the first, the second, and a few around them. */
const firstMoment = Date.UTC(2026, 0, 1)
const pauses = fc.constantFrom(0, 0, 1, 1000, 86_400_000)

const fieldNames = ['a', 'b', 'c', 'd', 'B', '_x', 'select', 'order']

function fieldOf(name: string, targets: readonly string[]): fc.Arbitrary<SchemaField> {
  const optional = fc.option(fc.constant({ optional: true }), { nil: {}, freq: 2 })
  return fc.oneof(
    {
      weight: 3,
      arbitrary: optional.map((o): SchemaField => ({ name, type: 'string', length: 10, ...o })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...targets), optional)
        .map(([target, o]): SchemaField => ({ name, type: 'reference', target, ...o })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...plainTypes), optional)
        .map(([type, o]): SchemaField => ({ name, type, ...o })),
    },
    {
      weight: 1,
      arbitrary: optional.map((o): SchemaField => ({
        name,
        type: 'string',
        length: 10,
        choices: sizes,
        ...o,
      })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.keys(mimesOf)), optional)
        .map(([mime, o]): SchemaField => ({ name, type: 'binary', mime, ...o })),
    },
  )
}

/** A schema whose references go to earlier datasets, or to the repository itself. */
function schemaFor(name: string, world: World): fc.Arbitrary<SchemaField[]> {
  const leadsNowhere = new Set(
    [name, ...world.map((d) => d.name)].filter(
      (each) => each === name || evaluate(world, each).length === 0,
    ),
  )
  const targets = [...world.map((dataset) => dataset.name), name]
  return fc
    .uniqueArray(fc.constantFrom(...fieldNames), { minLength: 1, maxLength: 5 })
    .chain((names) => fc.tuple(...names.map((each) => fieldOf(each, targets))))
    .map((fields) =>
      // Required, no item could ever be added.
      fields.map((field) =>
        field.type === 'reference' && leadsNowhere.has(field.target)
          ? { ...field, optional: true }
          : field,
      ),
    )
}

type Draft = {
  gap: number
  pause: number
  values: (SampleValue | undefined)[]
  /** Index of the item that is replaced, among those that hold. */
  replaces: { index: number; withdraws: boolean } | undefined
}

function presentValue(field: SchemaField): fc.Arbitrary<SampleValue> {
  switch (field.type) {
    case 'string':
      return field.choices === undefined ? texts : fc.constantFrom(...field.choices)
    case 'reference':
      return fc.nat({ max: 19 })
    case 'binary':
      return fc
        .tuple(fc.constantFrom(...contents), fc.constantFrom(...mimesOf[field.mime]!))
        .map(([[sha256, { length }], mime]): SampleBinary => ({ sha256, mime, bytes: length }))
    default:
      return plainValues[field.type]
  }
}

/** A value of a field, before references are known to lead anywhere: those are an index. */
function draftValue(field: SchemaField): fc.Arbitrary<SampleValue | undefined> {
  const present = presentValue(field)
  return field.optional === true ? fc.option(present, { nil: undefined, freq: 3 }) : present
}

const replacement = fc.record({ index: fc.nat({ max: 19 }), withdraws: fc.boolean() })
const nothing = fc.constant(undefined)

function repoIn(
  world: World,
  { withStates }: { withStates: boolean },
): fc.Arbitrary<SampleDataset> {
  const name = `repo${world.length}`
  return schemaFor(name, world).chain((schema) => {
    const draft: fc.Arbitrary<Draft> = fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      pause: pauses,
      values: fc.tuple(...schema.map(draftValue)),
      replaces: withStates ? fc.option(replacement, { nil: undefined, freq: 2 }) : nothing,
    })
    const few = fc.array(draft, { maxLength: 3 })
    const many = fc.array(draft, { minLength: 6, maxLength: 20 })
    return fc
      .oneof({ weight: 1, arbitrary: few }, { weight: 9, arbitrary: many })
      .map((drafts) => ({ name, schema, items: settle(drafts, schema, world, name) }))
  })
}

/** Gives ids and moments, and leads references to items that are there; drops items that cannot be. */
function settle(drafts: Draft[], schema: SchemaField[], world: World, name: string): SampleItem[] {
  const items: SampleItem[] = []
  let [id, createdAt] = [0, firstMoment]
  for (const { gap, pause, values, replaces } of drafts) {
    id += gap
    createdAt += pause
    const data: SampleItem['data'] = {}
    for (const [index, field] of schema.entries()) {
      let value = values[index]
      if (value !== undefined && field.type === 'reference') {
        const known = field.target === name ? items : evaluate(world, field.target)
        value = known.length === 0 ? undefined : known[Number(value) % known.length]!.id
      }
      if (value !== undefined) data[field.name] = value
    }
    if (schema.every((field) => field.optional === true || field.name in data)) {
      items.push({ id, createdAt, data, replaces: replacedBy(items, replaces) })
    }
  }
  return items
}

/** One item of those that no other one replaces; what withdraws an item can be corrected as well. */
function replacedBy(items: readonly SampleItem[], replaces: Draft['replaces']) {
  const replaced = new Set(items.map((item) => item.replaces?.id))
  const left = items.filter(({ id }) => !replaced.has(id))
  if (replaces === undefined || left.length === 0) return undefined
  const { index, withdraws } = replaces
  return { id: left[index % left.length]!.id, withdraws }
}

/**
 * Repositories with items, and views on them nested at least three deep; references go anywhere
 * that creation allows, through views too.
 */
export const worlds = worldsOf({ withStates: false })

/** Worlds with views on states and on current items, and corrections. */
export const worldsOfStates = worldsOf({ withStates: true })

function worldsOf(options: { withStates: boolean }): fc.Arbitrary<World> {
  return fc
    .tuple(fc.subarray(['view', 'repo']), fc.subarray(['repo', 'view']))
    .map(([first, last]) => ['repo', ...first, 'repo', 'view', 'view', 'view', ...last])
    .chain((plan) =>
      plan.reduce<fc.Arbitrary<World>>(
        (growing, kind) =>
          growing.chain((world) =>
            (kind === 'repo' ? repoIn(world, options) : viewOn(world, texts, options)).map(
              (next) => [...world, next],
            ),
          ),
        fc.constant([]),
      ),
    )
}
