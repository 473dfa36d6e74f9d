import {
  fieldsAlong,
  isRowField,
  limits,
  parseOrderKey,
  resolvePath,
  withSchemas,
  type Path,
  type RowField,
  type SchemaField,
} from '@vitrine/contract'
import { fieldNote } from '../../values/field-note.ts'
import { schemaLookup } from './schema-lookup.ts'
import type { DatasetLookup, Suggestion } from './suggest.ts'
import { dataAt, type YamlPlace } from './yaml-place.ts'

export type AnyField = SchemaField | RowField

/** A field that could end the path at the cursor. */
export type FoundPath = { path: string; references: string[]; field: AnyField }

/**
 * The paths from the base that the word at the cursor can become: fields behind the references that
 * are typed already, and behind each of those the fields one reference further.
 */
export async function pathsFrom(
  { root, word }: YamlPlace,
  lookup: DatasetLookup,
): Promise<FoundPath[]> {
  const base = dataAt(root, ['base'])
  if (typeof base !== 'string') return []
  const typed = parseOrderKey(word).path.split('.').slice(0, -1)
  const find = schemaLookup(lookup)
  const behind = async (references: string[]): Promise<FoundPath[]> => {
    const fields = await withSchemas((resolve) => fieldsAlong(references, base, resolve), find)
    return (fields ?? []).map((field) => ({
      path: [...references, field.name].join('.'),
      references,
      field,
    }))
  }
  const near = await behind(typed)
  if (typed.length >= limits.pathSteps) return near
  const followed = near.filter(({ field }) => field.type === 'reference')
  const far = await Promise.all(followed.map(({ field }) => behind([...typed, field.name])))
  return [...near, ...far.flat().filter(({ field }) => !isRowField(field))]
}

/** Resolves a path of the description; undefined where it leads nowhere. */
export async function pathOf(
  path: string,
  { root }: YamlPlace,
  lookup: DatasetLookup,
): Promise<Path | undefined> {
  const base = dataAt(root, ['base'])
  if (typeof base !== 'string') return undefined
  const resolved = await withSchemas(
    (resolve) => resolvePath(path, base, resolve),
    schemaLookup(lookup),
  )
  return resolved.ok ? resolved.path : undefined
}

export function pathSuggestion({ path, field }: FoundPath, kind: Suggestion['kind']): Suggestion {
  return { label: path, kind, note: fieldNote(field) }
}
