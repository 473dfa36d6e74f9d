import type { DatasetStanding } from '@vitrine/contract'
import { fail } from '../../failure.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { DatasetSearch } from '../../reading/dataset-search.ts'
import { ItemSearch } from '../../reading/item-search.ts'
import { identityKey } from '../../access/identity.ts'
import { whenGone } from '../when-gone.ts'
import type { Handlers } from '../route.ts'
import { readDatasetState } from '../../store/dataset-states.ts'
import { findDataset, listDatasets, readDatasetInfo } from '../../store/datasets.ts'
import type { Db, Store } from '../../store/store.ts'

type DatasetReads = 'datasetList' | 'datasetSearch' | 'itemSearch' | 'datasetGet' | 'datasetState'

export function datasetHandlers(
  store: Store,
  datasets: DatasetReader,
): Pick<Handlers, DatasetReads> {
  const { reads } = store
  const search = new DatasetSearch(store, datasets)
  const itemSearch = new ItemSearch(store, datasets)
  return {
    datasetList: ({ query }) => listDatasets(reads, query),
    datasetSearch: ({ query }) => search.find(query),
    itemSearch: ({ query, identity, reply }) =>
      itemSearch.find({ ...query, owner: identityKey(identity), signal: whenGone(reply) }),
    datasetGet: async ({ params: { datasetId }, query: { at } }) => {
      const dataset = await findDataset(reads, datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const info = await readDatasetInfo(reads, dataset)
      if (at === undefined) return info
      return { ...info, state: await requireState(reads, datasetId, at) }
    },
    datasetState: ({ params, query }) => requireState(reads, params.datasetId, query.at),
  }
}

/** @throws Failure DATASET_NOT_FOUND, STATE_NOT_FOUND */
async function requireState(db: Db, name: string, at?: number): Promise<DatasetStanding> {
  const state = await readDatasetState(db, name, at)
  if (state === undefined) throw fail('DATASET_NOT_FOUND')
  if (state.at > state.size) throw fail('STATE_NOT_FOUND', { totalItems: state.size })
  return state
}
