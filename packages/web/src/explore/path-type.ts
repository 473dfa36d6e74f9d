import { resolvePath, withSchemas, type ValueType } from '@vitrine/contract'
import { schemaLookup } from '../describe/suggest/schema-lookup.ts'
import type { DatasetLookup } from '../describe/suggest/suggest.ts'

/** The type of what a path from a dataset leads to. */
export async function pathType(
  path: string,
  dataset: string,
  lookup: DatasetLookup,
): Promise<ValueType | null> {
  const find = schemaLookup(lookup)
  const resolved = await withSchemas((resolve) => resolvePath(path, dataset, resolve), find)
  return resolved.ok ? resolved.path.field.type : null
}
