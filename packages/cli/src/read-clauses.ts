import type { Exploration } from '@vitrine/contract'
import { readCondition } from './read-condition.ts'

/** Reads --where and --order; the server checks the condition. */
export function readClauses({
  where,
  order,
}: Record<string, string | undefined>): Pick<Exploration, 'where' | 'order'> {
  return {
    ...(where !== undefined && { where: readCondition(where) }),
    ...(order !== undefined && { order: order.split(',').map((path) => path.trim()) }),
  }
}
