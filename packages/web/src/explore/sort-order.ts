/** Which way the items are sorted by a field, judged by the first key of their order. */
export function sortDirection(
  order: readonly string[] | undefined,
  field: string,
): 'ascending' | 'descending' | undefined {
  if (order?.[0] === field) return 'ascending'
  return order?.[0] === `-${field}` ? 'descending' : undefined
}

/** The order after a header was pressed: ascending, then descending, then none. */
export function toggledOrder(
  order: readonly string[] | undefined,
  field: string,
): string[] | undefined {
  switch (sortDirection(order, field)) {
    case undefined:
      return [field]
    case 'ascending':
      return [`-${field}`]
    case 'descending':
      return undefined
  }
}

/** An order in words, as a chip shows it. */
export function orderText(order: readonly string[]): string {
  return order.map((key) => (key.startsWith('-') ? `${key.slice(1)} ↓` : `${key} ↑`)).join(', ')
}
