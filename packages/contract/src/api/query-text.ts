import * as z from 'zod/mini'

/** A whole number written in canonical decimal digits, as paths and queries carry it. */
export function digits(minimum: number, maximum: number) {
  const reason = `must be a whole number from ${minimum} to ${maximum}`
  const fits = (text: string) => Number(text) >= minimum && Number(text) <= maximum
  const isNumber = z.regex(/^(?:0|[1-9][0-9]{0,15})$/, { error: reason, abort: true })
  return z.pipe(z.string(reason).check(isNumber, z.refine(fits, reason)), z.transform(Number))
}

/** `true` or `false`, as queries carry it. */
export const flag = z.pipe(
  z.enum(['true', 'false'], 'must be true or false'),
  z.transform((text) => text === 'true'),
)

/**
 * Writes a value of a query so that the schemas of the calls read it back: lists by commas, mappings
 * as JSON.
 */
export function queryText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

/** JSON in a query; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
