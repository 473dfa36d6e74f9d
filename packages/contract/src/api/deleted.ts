import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { datasetInfo } from './dataset.ts'
import { page } from './page.ts'
import { person } from './replies.ts'
import { digits } from './query-text.ts'
import { datasetName } from '../repo/repo-description.ts'

/** A dataset that was deleted and can be taken back. */
export const deletedDataset = z.object({
  /** Tells it from others that were deleted under the same name. */
  id: z.number(),
  /** The name that it had. */
  name: z.string(),
  kind: z.enum(['repo', 'view']),
  /** How many items it has; left out of a view. */
  items: z.optional(z.number()),
  createdAt: z.string(),
  deletedAt: z.string(),
  deletedBy: person,
  /** When it is removed for good. */
  removedAt: z.string(),
  /** Names of the deleted datasets that it refers to, which are to be taken back before it. */
  needs: z.array(z.string()),
})
export type DeletedDataset = z.infer<typeof deletedDataset>

const deletedId = z.object({ deletedId: digits(1, Number.MAX_SAFE_INTEGER) })

/** How to take a deleted dataset back. */
export const restoration = z.strictObject({
  /** Its name from then on; that which it had where nothing is said. */
  name: z.optional(datasetName),
})

/** The calls about datasets that were deleted (docs/deleted.md). */
export const deletedCalls = {
  deletedList: {
    summary: 'List the deleted datasets that you may restore, the last deleted first',
    method: 'GET',
    path: '/api/deleted',
    scope: 'read',
    role: 'anyone',
    query: z.strictObject({
      /** The name that they had. */
      name: z.optional(z.string()),
      ...page.shape,
    }),
    status: 200,
    reply: z.array(deletedDataset),
    errors: [],
  },
  deletedRestore: {
    summary: 'Restore a deleted dataset, under its name or another',
    method: 'POST',
    path: '/api/deleted/{deletedId}/restore',
    scope: 'manage',
    role: 'anyone',
    params: deletedId,
    body: restoration,
    status: 200,
    reply: datasetInfo,
    errors: [
      'REQUEST_INVALID',
      'DELETED_NOT_FOUND',
      'DELETED_NAME_TAKEN',
      'DELETED_NEEDS_OTHERS',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
    ],
  },
  deletedRemove: {
    summary: 'Remove a deleted dataset for good',
    method: 'DELETE',
    path: '/api/deleted/{deletedId}',
    scope: 'manage',
    role: 'anyone',
    params: deletedId,
    status: 204,
    errors: ['DELETED_NOT_FOUND', 'DATASET_REFERENCED'],
  },
} as const satisfies Record<string, Call>
