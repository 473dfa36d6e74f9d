import type { SchemaField } from '@vitrine/contract'
import { isMap, isSeq, parseDocument, stringify, type YAMLMap } from 'yaml'
import type { TextChange } from '../editor/YamlEditor.tsx'

/** Returns the types of the fields of a description, by their names. */
export function fieldTypes(text: string): ReadonlyMap<string, string> {
  return new Map([...fieldNodes(text)].map(([name, node]) => [name, textOf(node, 'type')]))
}

/** The change of a description that gives a field another type; undefined where it has no such field. */
export function typeChange(text: string, field: SchemaField): TextChange | undefined {
  const node = fieldNodes(text).get(field.name)
  if (node === undefined) return undefined
  const { type: _type, length: _length, ...others } = node.toJSON() as Record<string, unknown>
  const { name, optional: _optional, ...typed } = field
  const written = stringify(
    { name, ...typed, ...others },
    { collectionStyle: 'flow', lineWidth: 0 },
  )
  const [from, end] = node.range!
  // What follows a mapping of several lines belongs to its range.
  return { from, to: from + text.slice(from, end).trimEnd().length, insert: written.trim() }
}

function fieldNodes(text: string): ReadonlyMap<string, YAMLMap> {
  const schema = parseDocument(text).get('schema')
  const nodes = isSeq(schema) ? schema.items.filter((item) => isMap(item)) : []
  return new Map(nodes.map((node) => [textOf(node, 'name'), node]))
}

function textOf(node: YAMLMap, key: string): string {
  const value: unknown = node.get(key)
  return typeof value === 'string' ? value : ''
}
