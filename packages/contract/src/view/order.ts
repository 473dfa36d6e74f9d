import * as z from 'zod/mini'
import type { Problem } from '../api/errors.ts'
import { limits } from '../limits.ts'
import { type Path, isRowField } from './path.ts'
import type { Scope } from './scope.ts'
import { quote } from '../problems.ts'
import { describeType, typeOf } from '../values/index.ts'

/** Paths to order by, the first one first; `natural:` before it counts digits, a hyphen turns it around. */
export const orderDescription = z.union(
  [z.string(), z.array(z.string())],
  'must be a field or a list of fields',
)

/**
 * One key of an order: text by code point, choices as they are listed, moments and days by time, others by
 * number. A missing value comes last, descending or not.
 */
export type OrderKey = { path: Path; descending: boolean; isNatural?: true }

/** Splits a key of an order into the path and what is said of it. */
export function parseOrderKey(key: string): {
  path: string
  descending: boolean
  isNatural: boolean
} {
  const [, hyphen, natural, path] = /^(-?)(natural:)?(.*)$/s.exec(key)!
  return { path: path!, descending: hyphen === '-', isNatural: natural !== undefined }
}

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
    const { path: text, descending, isNatural } = parseOrderKey(each)
    if (seen.has(text)) {
      scope.report({ path: at, reason: `the field ${quote(text)} is there twice` })
      return []
    }
    seen.add(text)
    const path = scope.path(text, at)
    if (path !== undefined && !isRowField(path.field) && !typeOf(path.field).isOrdered) {
      const reason = `${quote(text)} is ${describeType(path.field.type)}, which has no order`
      scope.report({ path: at, reason })
    }
    if (path !== undefined && isNatural && !isPlainText(path)) {
      const reason = `only strings without choices have a natural order; ${quote(text)} is ${describe(path)}`
      scope.report({ path: at, reason })
    }
    return path === undefined ? [] : [{ path, descending, ...(isNatural && { isNatural }) }]
  })
}

function isPlainText({ field }: Path): boolean {
  return field.type === 'string' && field.choices === undefined
}

function describe({ field }: Path): string {
  return field.type === 'string' ? 'one of some choices' : describeType(field.type)
}
