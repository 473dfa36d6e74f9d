import { operators, type Measure, type OperatorName } from '@vitrine/contract'
import type { YamlPath } from './yaml-place.ts'

/** Kind of clause that belongs at a place inside of `where`. */
export type WherePlace =
  | { belongs: 'condition' }
  | { belongs: 'conditions' }
  /** The operators of the value at path `of`, or of a measure of it. */
  | { belongs: 'comparison'; of: string; measure?: Measure | undefined }
  | { belongs: 'operand'; of: string; measure?: Measure | undefined; operator: OperatorName }

/** Finds what belongs behind the steps that lead down from `where`. */
export function wherePlace([step, ...rest]: YamlPath): WherePlace | undefined {
  switch (step) {
    case undefined:
      return { belongs: 'condition' }
    case 'all':
    case 'any':
      return rest.length === 0 ? { belongs: 'conditions' } : wherePlace(rest.slice(1))
    case 'not':
      return wherePlace(rest)
    default:
      return typeof step === 'string' ? comparisonPlace(step, rest) : undefined
  }
}

function comparisonPlace(
  of: string,
  [step, ...rest]: YamlPath,
  measure?: Measure,
): WherePlace | undefined {
  if (step === undefined) return { belongs: 'comparison', of, measure }
  if (typeof step !== 'string' || !Object.hasOwn(operators, step)) return undefined
  const operator = step as OperatorName
  const meaning = operators[operator]
  if (meaning.operand === 'measure') return comparisonPlace(of, rest, meaning.measure)
  return { belongs: 'operand', of, measure, operator }
}
