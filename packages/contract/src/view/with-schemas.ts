import type { SchemaField } from '../repo/field.ts'
import type { Resolve } from './path.ts'

/**
 * Runs a check whose schemas are found one by one, in a store or at a server: it is run again with
 * what it asked for until it asks for nothing new, so at most once for each reference of a path.
 */
export async function withSchemas<T>(
  check: (resolve: Resolve) => T,
  find: (dataset: string) => Promise<readonly SchemaField[] | undefined>,
): Promise<T> {
  const schemas = new Map<string, readonly SchemaField[] | undefined>()
  for (;;) {
    const missing = new Set<string>()
    const result = check((dataset) => {
      if (!schemas.has(dataset)) missing.add(dataset)
      return schemas.get(dataset)
    })
    if (missing.size === 0) return result
    for (const dataset of missing) schemas.set(dataset, await find(dataset))
  }
}
