import type { RepoChange } from './repo-change.ts'
import type { RepoDescription } from './repo-description.ts'
import { metadataKeys } from './repo-metadata.ts'
import { quote } from '../problems.ts'
import { type SchemaField, typeOf } from '../values/index.ts'
import type { FieldChange } from '../values/type-definition.ts'

/**
 * Compares the description of a repository with one that is to take its place, both in canonical form.
 * It is an extension when no difference has a reason: then all items that are there conform to it.
 */
export function compareRepos(before: RepoDescription, after: RepoDescription): RepoChange[] {
  return [
    ...compareNames(before, after),
    ...compareMetadata(before, after),
    ...compareSchemas(before.schema, after.schema),
  ]
}

function compareNames(before: RepoDescription, after: RepoDescription): RepoChange[] {
  if (before.name === after.name) return []
  const change = `name ${quote(after.name)} instead of ${quote(before.name)}`
  return [{ change, reason: 'a repository keeps its name' }]
}

function compareMetadata(before: RepoDescription, after: RepoDescription): RepoChange[] {
  return metadataKeys.flatMap((key): RepoChange[] => {
    if (before[key] === after[key]) return []
    const verb = before[key] === undefined ? 'new' : after[key] === undefined ? 'no' : 'another'
    return [{ change: `${verb} ${key}` }]
  })
}

function compareSchemas(
  before: readonly SchemaField[],
  after: readonly SchemaField[],
): RepoChange[] {
  const names = before.map(({ name }) => name)
  const common = after.filter(({ name }) => names.includes(name)).map(({ name }) => name)
  const keptBefore = names.filter((name) => common.includes(name))
  const lastKept = after.findLastIndex(({ name }) => names.includes(name))
  return [
    ...before.flatMap((field) => {
      const { name } = field
      const now = after.find((each) => each.name === name)
      if (now === undefined) return [{ field: name, change: 'removed', reason: 'items have it' }]
      const moved = common.indexOf(name) !== keptBefore.indexOf(name)
      const changes = [...(moved ? [movedField] : []), ...compareFields(field, now)]
      return changes.map((change) => ({ field: name, ...change }))
    }),
    ...after.flatMap((field, index) =>
      names.includes(field.name)
        ? []
        : [{ field: field.name, ...addedField(field, index < lastKept) }],
    ),
  ]
}

const movedField: FieldChange = { change: 'moved', reason: 'fields keep their order' }

function addedField({ type, optional }: SchemaField, isAmidst: boolean): FieldChange {
  const change = `new ${type}`
  if (optional !== true) {
    return { change, reason: 'items that are there have no value: make it optional' }
  }
  return isAmidst ? { change, reason: 'new fields come last' } : { change }
}

function compareFields(before: SchemaField, after: SchemaField): FieldChange[] {
  if (before.type !== after.type) {
    const change = `type ${after.type} instead of ${before.type}`
    return [{ change, reason: 'values stay what they are' }]
  }
  const changes = typeOf(before).changes?.(before, after) ?? []
  if (before.optional === after.optional) return changes
  const optional: FieldChange = after.optional
    ? { change: 'optional instead of required' }
    : { change: 'required instead of optional', reason: 'items may have no value' }
  return [optional, ...changes]
}
