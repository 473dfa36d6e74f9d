import {
  isMapping,
  operators,
  type Comparison,
  type Condition,
  type OperatorName,
} from '@vitrine/contract'

/** A condition as one chip shows it: a mapping of one entry, of a path with one comparison. */
export type Filter = Condition

/** Takes a condition apart into filters that must all hold, in the order in which it was written. */
export function filtersOf(where: Condition | undefined): Filter[] {
  return Object.entries(where ?? {}).flatMap(([key, value]): Filter[] => {
    if (key === 'all') return (value as Condition[]).flatMap(filtersOf)
    if (key === 'any' || key === 'not') return [{ [key]: value }]
    return comparisonsOf(value as Comparison).map((comparison) => ({ [key]: comparison }))
  })
}

function comparisonsOf(comparison: Comparison): Comparison[] {
  return Object.entries(comparison).flatMap(([name, operand]): Comparison[] => {
    const isMeasure = operators[name as OperatorName].operand === 'measure'
    if (!isMeasure || typeof operand !== 'object') return [{ [name]: operand }]
    return comparisonsOf(operand as Comparison).map((inner) => ({ [name]: inner }))
  })
}

/** The condition that all filters make, as one would write it; undefined for none. */
export function whereOf(filters: readonly Filter[]): Condition | undefined {
  if (filters.length < 2) return filters[0]
  const one = filters.reduce<Condition | undefined>(
    (before, filter) => before && (joined(before, filter) as Condition | undefined),
    {},
  )
  return one ?? { all: [...filters] }
}

type Mapping = Readonly<Record<string, unknown>>

/** One mapping that says what two say; undefined where both have their own word for the same. */
function joined(left: Mapping, right: Mapping): Mapping | undefined {
  const both: Record<string, unknown> = { ...left }
  for (const [key, value] of Object.entries(right)) {
    const inner = !Object.hasOwn(both, key) ? value : joinedBelow(key, both[key], value)
    if (inner === undefined) return undefined
    both[key] = inner
  }
  return both
}

function joinedBelow(key: string, left: unknown, right: unknown): unknown {
  // That neither holds is not that both do not hold.
  const canJoin = key !== 'not' && isMapping(left) && isMapping(right)
  return canJoin ? joined(left, right) : undefined
}
