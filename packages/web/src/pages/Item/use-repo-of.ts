import { useQuery } from '@tanstack/react-query'
import { baseOf, type DatasetInfo } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'

/** The repository that has the items of a dataset: itself, or what its view is of in the end. */
export function useRepoOf(info: DatasetInfo | undefined): string | undefined {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['datasetGet', { repoOf: info?.name }],
    enabled: info?.view !== undefined,
    queryFn: async ({ signal }) => {
      let base = baseOf(info!.view!).name
      for (;;) {
        const { view } = await client.datasetGet({ datasetId: base }, { signal })
        if (view === undefined) return base
        base = baseOf(view).name
      }
    },
  })
  return info?.view === undefined ? info?.name : data
}
