import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { resolvePath, withSchemas, type Path } from '@vitrine/contract'
import type { Queries } from '../data/queries.ts'
import { schemaLookup } from '../describe/suggest/schema-lookup.ts'

type Lookup = { queryClient: QueryClient; queries: Queries }

/** Query for the field that a path from a dataset leads to; null where it leads to none. */
export function pathField({ queryClient, queries }: Lookup, datasetId: string, path: string) {
  return queryOptions({
    queryKey: ['pathField', { datasetId, path }],
    queryFn: async (): Promise<Path['field'] | null> => {
      const find = schemaLookup({
        info: (name) => queryClient.fetchQuery(queries.datasetGet(name)),
      })
      const resolved = await withSchemas((resolve) => resolvePath(path, datasetId, resolve), find)
      return resolved.ok ? resolved.path.field : null
    },
  })
}
