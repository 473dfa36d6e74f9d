import { fieldTypes, isFieldType, parseOrderKey, typeOf } from '@vitrine/contract'

/** Types of fields that items can be sorted by; `id` is that of the id. */
export const sortableTypes: readonly string[] = [
  'id',
  ...fieldTypes.filter((type) => typeOf({ type }).isOrdered),
]

/** Returns the direction in which items are sorted by a field, judged by the first key of their order. */
export function sortDirection(
  order: readonly string[] | undefined,
  field: string,
): 'ascending' | 'descending' | undefined {
  const first = order?.[0] === undefined ? undefined : parseOrderKey(order[0])
  if (first?.path !== field) return undefined
  return first.descending ? 'descending' : 'ascending'
}

/**
 * The order after a header was pressed: one direction, the other, then none; natural where it was. Numbers begin with the
 * greatest.
 */
export function toggledOrder(
  order: readonly string[] | undefined,
  field: string,
  type: string,
): string[] | undefined {
  const first =
    isFieldType(type) && typeOf({ type }).scale === 'number' ? 'descending' : 'ascending'
  const direction = sortDirection(order, field)
  if (direction === undefined) return [first === 'ascending' ? field : `-${field}`]
  if (direction !== first) return undefined
  const key = order![0]!
  return [direction === 'ascending' ? `-${key}` : key.slice(1)]
}

/** An order in words, as a chip shows it. */
export function orderText(order: readonly string[]): string {
  const words = order.map((key) => {
    const { path, descending, isNatural } = parseOrderKey(key)
    return `${path} ${descending ? '↓' : '↑'}${isNatural ? ' natural' : ''}`
  })
  return words.join(', ')
}
