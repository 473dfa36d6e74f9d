import { comparedType, operators, type OperatorName, type ValueType } from '@vitrine/contract'

/** How an operand is entered: as one text, as texts with commas between, as two ends, or as yes or no. */
export type OperandEntry = 'one' | 'list' | 'ends' | 'flag'

export function operandEntry(operator: OperatorName): OperandEntry {
  const { operand } = operators[operator]
  const entries = {
    literal: 'one',
    text: 'one',
    measure: 'one',
    list: 'list',
    range: 'ends',
    flag: 'flag',
  } as const
  return entries[operand]
}

/**
 * Reads what was entered for a value of a type; the checker of the language says what is wrong with it.
 * Two ends come as two texts, everything else as one.
 */
export function readOperand(
  operator: OperatorName,
  type: ValueType,
  [text = '', second = '']: readonly string[],
): unknown {
  const { read: literal = (each: string) => each } = comparedType(type).operandInput
  switch (operandEntry(operator)) {
    case 'one':
      return literal(text)
    case 'list':
      return listed(text).map((each) => literal(each))
    case 'ends':
      return [literal(text), literal(second)]
    case 'flag':
      return text !== 'false'
  }
}

/** Writes an operand as it would be entered. */
export function enteredOperand(operator: OperatorName, operand: unknown): string[] {
  if (!Array.isArray(operand)) return [String(operand)]
  const texts = operand.map(String)
  return operandEntry(operator) === 'ends' ? texts : [texts.map(listEntry).join(', ')]
}

/** One entry of a list: in quotes where a comma, a quote or a space at its end would be lost. */
function listEntry(text: string): string {
  return text === '' || /[,"]|^\s|\s$/.test(text) ? JSON.stringify(text) : text
}

function listed(text: string): string[] {
  const entries = text.match(/\s*"(?:[^"\\]|\\.)*"\s*|[^,]+/g) ?? []
  return entries
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(unquoted)
}

function unquoted(entry: string): string {
  if (!/^".*"$/s.test(entry)) return entry
  try {
    return JSON.parse(entry) as string
  } catch {
    return entry
  }
}
