import {
  unknownName,
  type IntegrityByField,
  type Problem,
  type SchemaField,
} from '@vitrine/contract'
import { failAt } from '../failure.ts'
import type { StoredValue } from '../store/items.ts'

/**
 * Holds what a commit signs off against what was received, field by field.
 * @throws Failure FIELD_NOT_IN_SCHEMA, DATA_NOT_CONFORMING, INTEGRITY_MISMATCH, naming the fields
 */
export function requireIntegrity(
  schema: readonly SchemaField[],
  values: ReadonlyMap<string, StoredValue>,
  integrity: IntegrityByField,
): void {
  const names = schema.map(({ name }) => name)
  const unknown = Object.keys(integrity).filter((name) => !names.includes(name))
  refuse(
    'FIELD_NOT_IN_SCHEMA',
    unknown.map((name) => unknownName(['integrity', name], 'field', name, names)),
  )
  refuse(
    'DATA_NOT_CONFORMING',
    schema.flatMap((field) => missing(field, values, integrity)),
  )
  refuse(
    'INTEGRITY_MISMATCH',
    schema.flatMap(({ name }) => different(name, values.get(name), integrity)),
  )
}

function missing(
  { name, optional = false }: SchemaField,
  values: ReadonlyMap<string, StoredValue>,
  integrity: IntegrityByField,
): Problem[] {
  const isSigned = Object.hasOwn(integrity, name)
  if (values.has(name)) {
    return isSigned
      ? []
      : [{ path: [name], reason: 'was uploaded, and integrity has no digest of it' }]
  }
  if (isSigned) return [{ path: [name], reason: 'has a digest in integrity, and was not uploaded' }]
  return optional ? [] : [{ path: [name], reason: 'is required' }]
}

function different(
  name: string,
  value: StoredValue | undefined,
  integrity: IntegrityByField,
): Problem[] {
  if (value === undefined || integrity[name]?.sha256 === value.sha256) return []
  return [{ path: [name], reason: `what was received has the sha256 ${value.sha256}` }]
}

function refuse(code: Parameters<typeof failAt>[0], problems: Problem[]): void {
  if (problems.length > 0) throw failAt(code, problems)
}
