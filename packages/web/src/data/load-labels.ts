import { ApiError, type Client } from '@vitrine/client'
import { limits } from '@vitrine/contract'
import DataLoader from 'dataloader'

type Place = { datasetId: string; itemId: number }

/** Loads the label of an item; null where there is none, false where somebody may not read the dataset. */
export type LoadLabel = (place: Place) => Promise<string | null | false>

/** Loads the labels that the cells of a page ask for at once, by one request a dataset. */
export function loadLabels(client: Client): LoadLabel {
  const loader = new DataLoader<Place, string | null | false>(
    async (places) => {
      const byDataset = Map.groupBy(places, ({ datasetId }) => datasetId)
      const requests = new Map<string, Promise<ReadonlyMap<number, string | undefined>>>()
      for (const [datasetId, group] of byDataset) {
        const ids = [...new Set(group.map(({ itemId }) => itemId))]
        requests.set(
          datasetId,
          client
            .datasetLabelList({ datasetId, ids })
            .then((labels) => new Map(labels.map(({ id, label }) => [id, label]))),
        )
      }
      return Promise.all(
        places.map(async ({ datasetId, itemId }) => {
          try {
            return (await requests.get(datasetId)!).get(itemId) ?? null
          } catch (error) {
            // It is there, as something refers to it.
            if (error instanceof ApiError && error.status === 404) return false
            // The loader rejects the loads whose results are errors, and no other.
            return error as Error
          }
        }),
      )
    },
    // The query client keeps what was loaded.
    { cache: false, maxBatchSize: limits.labels },
  )
  return (place) => loader.load(place)
}
