import * as z from 'zod/mini'
import type { Problem } from './errors.ts'
import { limits } from './limits.ts'
import type { Path } from './path.ts'
import type { Scope } from './scope.ts'
import { quote } from './unknown-name.ts'

/** Paths to order by, the first one first; a hyphen before it turns one around. */
export const orderDescription = z.union(
  [z.string(), z.array(z.string())],
  'must be a field or a list of fields',
)

/**
 * One key of an order: text by code point, references and ids by number. A missing value comes last,
 * descending or not.
 */
export type OrderKey = { path: Path; descending: boolean }

/** Reads an order, reporting what is wrong with it. */
export function readOrder(written: string | readonly string[], scope: Scope): OrderKey[] {
  const texts = typeof written === 'string' ? [written] : written
  if (texts.length === 0 || texts.length > limits.orderKeys) {
    const reason = `must have 1 to ${limits.orderKeys} entries, not ${texts.length}`
    scope.report({ path: ['order'], reason })
  }
  const seen = new Set<string>()
  return texts.flatMap((each, index) => {
    const at: Problem['path'] = typeof written === 'string' ? ['order'] : ['order', index]
    const descending = each.startsWith('-')
    const text = descending ? each.slice(1) : each
    if (seen.has(text)) {
      scope.report({ path: at, reason: `the field ${quote(text)} is there twice` })
      return []
    }
    seen.add(text)
    const path = scope.path(text, at)
    if (path?.field.type === 'binary') {
      scope.report({ path: at, reason: `${quote(text)} is a binary, which has no order` })
    }
    return path === undefined ? [] : [{ path, descending }]
  })
}
