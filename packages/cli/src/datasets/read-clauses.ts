import type { Condition, Exploration } from '@vitrine/contract'
import { parse } from 'yaml'
import { type Invocation, UsageError } from '../command/command.ts'

export const clauseOptions = { where: { type: 'string' }, order: { type: 'string' } } as const

/** Reads --where and --order; the server checks the condition. */
export function readClauses({
  where,
  order,
}: Invocation<typeof clauseOptions>['values']): Pick<Exploration, 'where' | 'order'> {
  return {
    ...(where !== undefined && { where: readCondition(where) }),
    ...(order !== undefined && { order: order.split(',').map((path) => path.trim()) }),
  }
}

/** Reads --where, as YAML or JSON, which is YAML as well; the server checks the condition. */
export function readCondition(text: string | undefined): Condition | undefined {
  if (text === undefined) return undefined
  try {
    const condition = parse(text) as unknown
    if (typeof condition === 'object' && condition !== null) return condition as Condition
  } catch {
    // Said below.
  }
  throw new UsageError('--where takes a condition, such as "name: { icontains: tom }".')
}
