import type { SchemaElement } from 'hyparquet'
import { limits } from '@vitrine/contract/limits'
import { InexactNumber, isExactNumber } from '@vitrine/contract/values/exact-json'
import { InvalidValue } from '../invalid-value.ts'

/** Makes a value of what is stored; undefined where that is a number or a truth value. */
export type ConvertLeaf = ((stored: number | bigint | Uint8Array) => unknown) | undefined

/** A list has two levels, and a byte has room for so many. */
const levelsMax = 2 * limits.jsonValueDepth

/** Node of a nested column. */
export type NestedNode = {
  element: SchemaElement
  /** Definition level from which it is there, and repetition level of its elements where it is repeated. */
  definition: number
  repetition: number
  /** Places of its leaves among those of the column, the last left out. */
  from: number
  to: number
  children: readonly NestedNode[]
  /** Conversion of the values of a leaf. */
  convert: ConvertLeaf
}

/** Values of a leaf in some rows, with the levels that say where they belong; undefined where there is none. */
export type LeafValues = {
  repetitions: Uint8Array
  definitions: Uint8Array
  values: readonly unknown[]
}

/**
 * Reads the tree of a column from the schema, which lists each node before its children.
 * @param convertOf makes the conversion of a leaf, or the reason why there is none, as the end of a sentence
 * @returns a reason where the column cannot be JSON
 */
export function nestedColumn(
  elements: readonly SchemaElement[],
  convertOf: (leaf: SchemaElement) => ConvertLeaf | string,
): NestedNode | string {
  let at = 0
  let leaves = 0
  let fault: string | undefined
  const read = (definitionAround: number, repetitionAround: number): NestedNode => {
    const element = elements[at]!
    at += 1
    const { repetition_type: kind, num_children: count = 0 } = element
    const definition = definitionAround + (kind === 'REQUIRED' ? 0 : 1)
    const repetition = repetitionAround + (kind === 'REPEATED' ? 1 : 0)
    if (definition > levelsMax) fault ??= `nests deeper than ${limits.jsonValueDepth} levels`
    const from = leaves
    const children = Array.from({ length: count }, () => read(definition, repetition))
    let convert: ConvertLeaf
    if (element.num_children === undefined) {
      leaves += 1
      const converted = convertOf(element)
      if (typeof converted === 'string') fault ??= `has a part that ${converted}`
      else convert = converted
    }
    const node = { element, definition, repetition, from, to: leaves, children, convert }
    if (isMap(node) && node.children[0]!.children[0]!.children.length > 0) {
      fault ??= 'has a map whose keys are no scalars; write it as JSON'
    }
    return node
  }
  const node = read(0, 0)
  if (hasType(node, 'VARIANT')) fault ??= 'is of variants; write them as JSON'
  return fault ?? node
}

/** The leaves of a column, in the order of their chunks. */
export function leavesOf(node: NestedNode): NestedNode[] {
  return node.element.num_children === undefined ? [node] : node.children.flatMap(leavesOf)
}

/**
 * Assembles the values of a column from those of its leaves, one for each row: JSON that may have `InexactNumber` in it,
 * null, or an `InvalidValue` (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types).
 * @throws Error where the levels of the leaves contradict each other
 */
export function assembleRows(column: NestedNode, leaves: readonly LeafValues[]): unknown[] {
  const rows: unknown[] = []
  const whole = leaves.map(({ repetitions }) => ({ start: 0, end: repetitions.length }))
  for (const slices of split(column, leaves, whole, 0)) {
    try {
      rows.push(valueOf(column, leaves, slices))
    } catch (error) {
      if (!(error instanceof UnreadableNesting)) throw error
      rows.push(new InvalidValue(error.message))
    }
  }
  return rows
}

/** Part of a row that no JSON says. */
class UnreadableNesting extends Error {}

/** Range of a node within the entries of one of its leaves; a node has one for each leaf. */
type Slice = { start: number; end: number }

/** Returns the slices of a child. */
function slicesOf(child: NestedNode, node: NestedNode, slices: readonly Slice[]): Slice[] {
  return slices.slice(child.from - node.from, child.to - node.from)
}

function valueOf(
  node: NestedNode,
  leaves: readonly LeafValues[],
  slices: readonly Slice[],
): unknown {
  const { repetition_type: kind } = node.element
  if (kind === 'REPEATED') return elementsOf(node, leaves, slices, contentOf)
  const { start, end } = slices[0]!
  if (start === end) throw new Error(contradicting)
  if (leaves[node.from]!.definitions[start]! < node.definition) return null
  return contentOf(node, leaves, slices)
}

function contentOf(
  node: NestedNode,
  leaves: readonly LeafValues[],
  slices: readonly Slice[],
): unknown {
  const { children } = node
  if (node.element.num_children === undefined) {
    return leafValue(leaves[node.from]!.values[slices[0]!.start])
  }
  if (isList(node)) {
    const [repeated] = children
    const [item] = repeated!.children
    const hasItem =
      item !== undefined && repeated!.children.length === 1 && !isLegacyItem(repeated!, node)
    return elementsOf(repeated!, leaves, slices, (element, all, its) =>
      hasItem ? valueOf(item, all, its) : contentOf(element, all, its),
    )
  }
  if (isMap(node)) {
    const [repeated] = children
    const [key, value] = repeated!.children
    const entries = elementsOf(repeated!, leaves, slices, (entry, all, its) => [
      keyText(valueOf(key!, all, slicesOf(key!, entry, its)) as Key),
      value === undefined ? null : valueOf(value, all, slicesOf(value, entry, its)),
    ])
    return toObject(entries as [string, unknown][])
  }
  return toObject(
    children.map((child) => {
      return [child.element.name, valueOf(child, leaves, slicesOf(child, node, slices))] as const
    }),
  )
}

type MakeElement = (
  node: NestedNode,
  leaves: readonly LeafValues[],
  slices: readonly Slice[],
) => unknown

/** Makes the elements of a repeated node. */
function elementsOf(
  node: NestedNode,
  leaves: readonly LeafValues[],
  slices: readonly Slice[],
  make: MakeElement,
): unknown[] {
  const { start } = slices[0]!
  if (leaves[node.from]!.definitions[start]! < node.definition) return []
  const elements: unknown[] = []
  for (const each of split(node, leaves, slices, node.repetition)) {
    elements.push(make(node, leaves, each))
  }
  return elements
}

/** Cuts the slices of a node before each value of a repetition level, or of a lower one. */
function* split(
  node: NestedNode,
  leaves: readonly LeafValues[],
  slices: readonly Slice[],
  level: number,
): Generator<Slice[]> {
  const next = slices.map(({ start }) => start)
  const isLeft = (at: number) => next[at]! < slices[at]!.end
  while (next.some((_, at) => isLeft(at))) {
    yield slices.map(({ end }, index): Slice => {
      if (!isLeft(index)) throw new Error(contradicting)
      const start = next[index]!
      const { repetitions } = leaves[node.from + index]!
      let at = start + 1
      while (at < end && repetitions[at]! > level) at += 1
      next[index] = at
      return { start, end: at }
    })
  }
}

function leafValue(value: unknown): unknown {
  if (value instanceof InvalidValue) throw new UnreadableNesting(value.reason)
  if (typeof value !== 'bigint') return value ?? null
  const source = String(value)
  return isExactNumber(source) ? Number(value) : new InexactNumber(source)
}

type Key = string | number | boolean | InexactNumber | null

/** Keys are no lists and structs, as their columns are refused. */
function keyText(key: Key): string {
  if (key === null) throw new UnreadableNesting('has a map with a key that is missing')
  return key instanceof InexactNumber ? key.source : String(key)
}

/** A member may be called `__proto__`. */
function toObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, value] of entries) {
    if (key in object) throw new UnreadableNesting('must not have the same key twice')
    object[key] = value
  }
  return object
}

function isList(node: NestedNode): boolean {
  return hasType(node, 'LIST') && hasRepeatedChild(node)
}

function isMap(node: NestedNode): boolean {
  const [repeated] = node.children
  const isTyped = hasType(node, 'MAP') || hasType(node, 'MAP_KEY_VALUE')
  return isTyped && hasRepeatedChild(node) && [1, 2].includes(repeated!.children.length)
}

function hasType({ element }: NestedNode, type: string): boolean {
  return element.converted_type === type || element.logical_type?.type === type
}

function hasRepeatedChild({ children: [child, ...others] }: NestedNode): boolean {
  return child?.element.repetition_type === 'REPEATED' && others.length === 0
}

/** Whether older writers mean the repeated group itself by an element (LogicalTypes.md, backward compatibility). */
function isLegacyItem(repeated: NestedNode, list: NestedNode): boolean {
  return ['array', `${list.element.name}_tuple`].includes(repeated.element.name)
}

const contradicting = 'the parts of a nested column contradict each other'
