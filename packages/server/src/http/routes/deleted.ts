import type { Administrators } from '../../access/administrators.ts'
import type { Identity } from '../../access/identity.ts'
import type { DroppedData } from '../../datasets/dropped-data.ts'
import { listTheirDeleted } from '../../datasets/list-deleted.ts'
import { removeDeleted } from '../../datasets/remove-deleted.ts'
import type { Asking } from '../../datasets/require-deleted.ts'
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
  const askingOf = (identity: Identity): Asking => ({
    identity,
    isAdministrator: administrators.has(identity),
  })
  return {
    deletedList: ({ query, identity }) =>
      listTheirDeleted(store.reads, askingOf(identity), { restMs, ...query }),
    deletedRestore: async ({ params, body, identity }) => {
      const asked = { input: body, asking: askingOf(identity) }
      const info = await restoreDataset(store, params.deletedId, asked)
      if (info.view !== undefined) await datasets.begin(info.name)
      return info
    },
    deletedRemove: async ({ params, identity }) => {
      await removeDeleted(store, params.deletedId, askingOf(identity))
      droppedData.wake()
    },
  }
}
