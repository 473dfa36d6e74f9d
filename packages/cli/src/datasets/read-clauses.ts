import type { Condition, Exploration } from '@vitrine/contract'
import { parse } from 'yaml'
import { CommandError, type Invocation, UsageError } from '../command/command.ts'
import type { OpenedClient } from '../sign-in/open-client.ts'

export const clauseOptions = {
  where: { type: 'string' },
  order: { type: 'string' },
  current: { type: 'boolean' },
} as const

/** Reads --where, --order and --current; the server checks the condition. */
export function readClauses({
  where,
  order,
  current,
}: Invocation<typeof clauseOptions>['values']): Omit<Exploration, 'q'> {
  return {
    ...(where !== undefined && { where: readCondition(where) }),
    ...(order !== undefined && { order: order.split(',').map((path) => path.trim()) }),
    ...(current === true && { current }),
  }
}

/** @throws CommandError where the server does not know which items are current */
export function requireCurrent({ client, features }: OpenedClient, isAsked: boolean | undefined) {
  if (isAsked !== true || features.includes('current')) return
  throw new CommandError(`${client.options.baseUrl} takes no --current.`)
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
