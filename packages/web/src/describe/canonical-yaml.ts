import { stringify } from 'yaml'

/** Keys of descriptions in the order in which they are written; others follow by name. */
const keyOrder = [
  'name',
  'base',
  'description',
  'label',
  'cover',
  'license',
  'source',
  'readme',
  'schema',
  'current',
  'where',
  'split',
  'order',
  'limit',
  'fields',
  'type',
  'length',
  'target',
  'mime',
  'optional',
  'from',
  'except',
]

/** A definition as YAML with its keys in one order, so that two of them compare line by line. */
export function canonicalYaml(definition: unknown): string {
  return stringify(definition, {
    lineWidth: 0,
    sortMapEntries: (a, b) => {
      const [first, second] = [String(a.key), String(b.key)]
      return rank(first) - rank(second) || (first < second ? -1 : 1)
    },
  }).trimEnd()
}

function rank(key: string): number {
  const index = keyOrder.indexOf(key)
  return index < 0 ? keyOrder.length : index
}
