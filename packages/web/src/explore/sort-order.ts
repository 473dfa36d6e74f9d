import { fieldTypes, parseOrderKey, typeOf } from '@vitrine/contract'

/** Types of fields that items can be sorted by; `id` is that of the id. */
export const sortableTypes: readonly string[] = [
  'id',
  ...fieldTypes.filter((type) => typeOf({ type }).isOrdered),
]

/** Which way the items are sorted by a field, judged by the first key of their order. */
export function sortDirection(
  order: readonly string[] | undefined,
  field: string,
): 'ascending' | 'descending' | undefined {
  const first = order?.[0] === undefined ? undefined : parseOrderKey(order[0])
  if (first?.path !== field) return undefined
  return first.descending ? 'descending' : 'ascending'
}

/** The order after a header was pressed: ascending, then descending, then none; natural where it was. */
export function toggledOrder(
  order: readonly string[] | undefined,
  field: string,
): string[] | undefined {
  switch (sortDirection(order, field)) {
    case undefined:
      return [field]
    case 'ascending':
      return [`-${order![0]!}`]
    case 'descending':
      return undefined
  }
}

/** An order in words, as a chip shows it. */
export function orderText(order: readonly string[]): string {
  const words = order.map((key) => {
    const { path, descending, isNatural } = parseOrderKey(key)
    return `${path} ${descending ? '↓' : '↑'}${isNatural ? ' natural' : ''}`
  })
  return words.join(', ')
}
