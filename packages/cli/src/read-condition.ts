import type { Condition } from '@vitrine/contract'
import { parse } from 'yaml'
import { UsageError } from './command.ts'

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
