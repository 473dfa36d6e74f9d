import {
  type Measure,
  type Operator,
  type OperatorName,
  type ValueType,
  operators,
  operatorsFor,
} from '@vitrine/contract'
import { mediaTypes } from './media-types.ts'
import { pathOf, pathsFrom, pathSuggestion } from './path-suggestions.ts'
import {
  type DatasetLookup,
  type Suggestion,
  type SuggestRule,
  below,
  inMapping,
  keywordSuggestions,
} from './suggest.ts'
import { valueSuggestions } from './value-suggestions.ts'
import { type YamlPath, type YamlPlace, dataAt } from './yaml-place.ts'

/** Suggestions inside of `where`. */
export const whereRules: readonly SuggestRule[] = [
  { at: 'key', path: ['where', below], suggest: suggestInWhere },
  { at: 'value', path: ['where', below], suggest: suggestInWhere },
]

async function suggestInWhere(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const inside = wherePlace(place.path.slice(1))
  switch (inside?.belongs) {
    case undefined:
      return []
    case 'condition':
      return (await conditionKeys(place, lookup)).map((key) => inMapping(key, place))
    case 'conditions':
      return (await conditionKeys(place, lookup)).map((key) => inList(key, place))
    case 'comparison':
      return [...measured(inside), ...(await operatorKeys(inside, place, lookup))]
    case 'operand':
      return operands(inside, place, lookup)
  }
}

async function conditionKeys(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const paths = await pathsFrom(place, lookup)
  return [
    ...paths.map((path) => pathSuggestion(path, 'key')),
    ...logicKeys(place.block ? place.column : undefined),
  ].filter(({ label }) => !place.keys.includes(label))
}

/** `column` is where the key stands in block style; in flow style brackets are written. */
function logicKeys(column: number | undefined): Suggestion[] {
  const inner = column === undefined ? undefined : `\n${' '.repeat(column + 2)}`
  const list = inner === undefined ? { after: ' [', tail: ']' } : { after: `${inner}- ` }
  const mapping = inner === undefined ? { after: ' { ', tail: ' }' } : { after: inner }
  return [
    { label: 'all', kind: 'key', note: 'every one of a list of conditions holds', ...list },
    { label: 'any', kind: 'key', note: 'at least one of a list of conditions holds', ...list },
    { label: 'not', kind: 'key', note: 'a condition does not hold', ...mapping },
  ]
}

function inList(key: Suggestion, { block, ownLine }: YamlPlace): Suggestion {
  if (!block) return { ...key, before: '[{ ', tail: `${key.tail ?? ''} }]` }
  return ownLine ? { ...key, before: '- ' } : key
}

type Compared = Extract<WherePlace, { belongs: 'comparison' }>

async function operatorKeys(
  { of, measure }: Compared,
  place: YamlPlace,
  lookup: DatasetLookup,
): Promise<Suggestion[]> {
  const type: ValueType | undefined = measure ?? (await pathOf(of, place, lookup))?.field.type
  if (type === undefined) return []
  return operatorsFor(type)
    .filter(({ name }) => !place.keys.includes(name))
    .map(({ name, operator }) => inMapping(operatorKey(name, operator), place))
}

function operatorKey(name: OperatorName, { summary, example, operand }: Operator): Suggestion {
  const isList = operand === 'list' || operand === 'range'
  return {
    label: name,
    kind: 'key',
    note: summary,
    info: example,
    ...(isList && { after: ' [', tail: ']' }),
  }
}

/** Operators that compare with whole values, such as other items may have. */
const naming: readonly OperatorName[] = ['eq', 'neq', 'in', 'nin']

async function operands(
  inside: Extract<WherePlace, { belongs: 'operand' }>,
  place: YamlPlace,
  lookup: DatasetLookup,
): Promise<Suggestion[]> {
  const { of, measure, operator } = inside
  if (measure !== undefined) return measured(inside)
  if (operators[operator].operand === 'flag') {
    return keywordSuggestions({ true: 'is missing or empty', false: 'is there' })
  }
  if (!naming.includes(operator)) return []
  const base = dataAt(place.root, ['base'])
  const path = await pathOf(of, place, lookup)
  if (path === undefined || typeof base !== 'string') return []
  return valueSuggestions(path, base, lookup)
}

/** Suggests the known values of a measure. */
function measured({ measure }: { measure?: Measure | undefined }): Suggestion[] {
  return measure === 'mime' ? keywordSuggestions(mediaTypes) : []
}

/** Kind of clause that belongs at a place inside of `where`. */
export type WherePlace =
  | { belongs: 'condition' }
  | { belongs: 'conditions' }
  /** The operators of the value at path `of`, or of a measure of it. */
  | { belongs: 'comparison'; of: string; measure?: Measure | undefined }
  | { belongs: 'operand'; of: string; measure?: Measure | undefined; operator: OperatorName }

/** Finds what belongs behind the steps that lead down from `where`. */
function wherePlace([step, ...rest]: YamlPath): WherePlace | undefined {
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
