import { addOrigin } from '../../datasets/add-origin.ts'
import { fail } from '../../failure.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { findItemAuthor, findItemOrigin, listDatasetOrigins } from '../../reading/item-position.ts'
import { listChanges } from '../../store/audit-log.ts'
import { findDataset } from '../../store/datasets.ts'
import { findPerson } from '../../store/people.ts'
import type { Store } from '../../store/store.ts'
import { type Handlers, disconnectSignal } from '../route.ts'

/** Answers who has done what (docs/audit.md). */
export function provenanceHandlers(
  store: Store,
  datasets: DatasetReader,
): Pick<Handlers, 'datasetItemAuthor' | 'datasetProvenance' | 'originAdd'> {
  const { reads } = store
  return {
    originAdd: ({ params, body, identity }) => addOrigin(store, params.datasetId, body, identity),
    datasetItemAuthor: async ({ params, query, reply }) => {
      const dataset = await datasets.find(params.datasetId, query.at)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const { value } = await dataset.items.get(params.itemId, {
        signal: () => disconnectSignal(reply),
      })
      if (value === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      const author = await findItemAuthor(reads, dataset.repoId, params.itemId)
      const origin = await findItemOrigin(reads, dataset.repoId, params.itemId)
      return { ...(author !== undefined && { author }), ...(origin !== undefined && { origin }) }
    },
    datasetProvenance: async ({ params, query }) => {
      const dataset = await findDataset(reads, params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const origins = await listDatasetOrigins(reads, dataset.id)
      const changes = await listChanges(reads, { datasetId: dataset.id, ...query })
      return {
        createdBy: await findPerson(reads, dataset.createdBy),
        changes: changes.map(({ number, at, what, by, details }) => ({
          number,
          at,
          what,
          by,
          details,
        })),
        ...(origins.length > 0 && { origins }),
      }
    },
  }
}
