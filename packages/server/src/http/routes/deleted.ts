import type { Administrators } from '../../access/administrators.ts'
import type { Identity } from '../../access/identity.ts'
import type { DroppedData } from '../../datasets/dropped-data.ts'
import { type Requester, listTheirDeleted, removeDeleted } from '../../datasets/remove-deleted.ts'
import { restoreDataset } from '../../datasets/restore-dataset.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../route.ts'

/** Answers calls about datasets that were deleted and can be taken back (docs/deleted.md). */
export function deletedHandlers(
  store: Store,
  {
    administrators,
    datasets,
    droppedData,
    restMs,
  }: {
    administrators: Administrators
    datasets: DatasetReader
    droppedData: DroppedData
    restMs: number
  },
): Pick<Handlers, 'deletedList' | 'deletedRestore' | 'deletedRemove'> {
  const requesterOf = (identity: Identity): Requester => ({
    identity,
    isAdministrator: administrators.has(identity),
  })
  return {
    deletedList: ({ query, identity }) =>
      listTheirDeleted(store.reads, requesterOf(identity), { restMs, ...query }),
    deletedRestore: async ({ params, body, identity, visibility }) => {
      const request = { input: body, requester: requesterOf(identity), visibility }
      const info = await restoreDataset(store, params.deletedId, request)
      if (info.view !== undefined) await datasets.begin(info.name)
      return info
    },
    deletedRemove: async ({ params, identity }) => {
      await removeDeleted(store, params.deletedId, requesterOf(identity))
      droppedData.wake()
    },
  }
}
