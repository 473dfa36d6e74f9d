import {
  operators,
  operatorsFor,
  resolvePath,
  withSchemas,
  type Operator,
  type OperatorName,
  type ValueType,
} from '@vitrine/contract'
import { mediaTypes } from './media-types.ts'
import { pathsFrom, pathSuggestion } from './path-suggestions.ts'
import { schemaLookup } from './schema-lookup.ts'
import {
  below,
  inMapping,
  keywordSuggestions,
  type DatasetLookup,
  type SuggestRule,
  type Suggestion,
} from './suggest.ts'
import { wherePlace, type WherePlace } from './where-place.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

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
      return [...operands(inside), ...(await operatorKeys(inside, place, lookup))]
    case 'operand':
      return operands(inside)
  }
}

async function conditionKeys(place: YamlPlace, lookup: DatasetLookup): Promise<Suggestion[]> {
  const paths = await pathsFrom(place, lookup)
  return [
    ...paths.map((found) => pathSuggestion(found, 'key')),
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
  const type = measure ?? (await typeOf(of, place, lookup))
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

async function typeOf(
  path: string,
  { root }: YamlPlace,
  lookup: DatasetLookup,
): Promise<ValueType | undefined> {
  const base = dataAt(root, ['base'])
  if (typeof base !== 'string') return undefined
  const resolved = await withSchemas(
    (resolve) => resolvePath(path, base, resolve),
    schemaLookup(lookup),
  )
  return resolved.ok ? resolved.path.field.type : undefined
}

function operands(inside: Exclude<WherePlace, { belongs: 'condition' | 'conditions' }>) {
  if (inside.measure === 'mime') return keywordSuggestions(mediaTypes)
  const isFlag = inside.belongs === 'operand' && operators[inside.operator].operand === 'flag'
  return isFlag ? keywordSuggestions({ true: 'is missing or empty', false: 'is there' }) : []
}
