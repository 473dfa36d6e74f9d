import { kindOf } from './problems.ts'
import { comparedType, type SchemaField, type ValueType } from './values/index.ts'
import { accept, refuse, type ReadLiteral } from './values/type-definition.ts'

/** Reads a literal; of a value of unknown type, any text, number or truth value. */
export function readLiteral(
  type: ValueType | undefined,
  input: unknown,
  options: { isOrdering: boolean; field?: SchemaField },
): ReadLiteral {
  if (input === null) return refuse('must not be empty; { empty: true } finds what is missing')
  const read = type && comparedType(type).literal
  if (read !== undefined) return read(input, options)
  if (typeof input === 'boolean') return accept(Number(input))
  return typeof input === 'string' || typeof input === 'number'
    ? accept(input)
    : refuse(`must be text or a number, not ${kindOf(input)}`)
}
