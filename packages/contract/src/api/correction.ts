import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { dataset, datasetItem, notReady } from './dataset-calls.ts'
import { atState } from './dataset-state.ts'
import { insertBegun, insertCommitted, itemId } from './item.ts'
import { idList } from './item-label.ts'
import { limits } from '../limits.ts'
import { page } from './page.ts'
import { person } from './replies.ts'
import { invalidReason } from '../repo/correcting-rows.ts'

/** Reason for which an item is corrected or withdrawn. */
export const reason = z.string().check(
  z.superRefine((text, context) => {
    const message = invalidReason(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message, input: text })
  }),
)

/** Body of the call that begins a correction. */
export const newCorrection = z.strictObject({
  reason,
  /** Fields whose values are those of the item that is corrected, and need not be uploaded. */
  keep: z.optional(z.array(z.string()).check(z.maxLength(limits.fields))),
})
export type NewCorrection = z.infer<typeof newCorrection>

/** Body of the call that withdraws an item. */
export const newWithdrawal = z.strictObject({ reason })

/** An item, or what replaced it. */
export const itemVersion = z.object({
  id: itemId,
  /** `withdrawn` repeats the values of the version before, which is withdrawn by it. */
  change: z.enum(['added', 'corrected', 'withdrawn']),
  /** The rest is left out of versions that the dataset does not have, as a view may have some of them only. */
  createdAt: z.optional(z.string()),
  author: z.optional(person),
  reason: z.optional(z.string()),
})
export type ItemVersion = z.infer<typeof itemVersion>

/** An item that was replaced, or that withdraws another one. */
export const replacement = z.object({
  id: itemId,
  /** Its latest version, which it may be itself; left out where the dataset does not have that. */
  latest: z.optional(itemId),
  /** Whether the latest version withdraws it. */
  isWithdrawn: z.boolean(),
})
export type Replacement = z.infer<typeof replacement>

const refusals = [
  'REQUEST_INVALID',
  'REPO_OR_ITEM_NOT_FOUND',
  'ITEM_REPLACED',
  'CONTENT_TOO_LARGE',
  'MEDIA_TYPE_UNSUPPORTED',
  'STORAGE_FULL',
] as const

/** The calls about corrections of items (docs/corrections.md). */
export const correctionCalls = {
  correctionBegin: {
    summary:
      'Begin an insert that corrects an item: its commit adds a new item, which replaces the other',
    method: 'POST',
    path: '/api/repo/{datasetId}/item/{itemId}/correction',
    scope: 'add',
    role: 'contributor',
    params: datasetItem,
    body: newCorrection,
    status: 201,
    reply: insertBegun,
    errors: [...refusals, 'FIELD_NOT_IN_SCHEMA'],
  },
  itemWithdraw: {
    summary: 'Withdraw an item: it stays where it is, and is replaced by nothing',
    method: 'POST',
    path: '/api/repo/{datasetId}/item/{itemId}/withdrawal',
    scope: 'add',
    role: 'contributor',
    params: datasetItem,
    body: newWithdrawal,
    repeatable: true,
    status: 200,
    reply: insertCommitted,
    errors: refusals,
  },
  datasetVersionList: {
    summary: 'List the versions of an item, from the first to the latest',
    method: 'GET',
    // Below the path of an item it would be in the place of a field of that name.
    path: '/api/dataset/{datasetId}/version/{itemId}',
    scope: 'read',
    role: 'reader',
    params: datasetItem,
    query: z.strictObject({ ...page.shape, ...atState.shape }),
    status: 200,
    reply: z.array(itemVersion),
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'STATE_NOT_FOUND',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetReplacementList: {
    summary:
      'List the items, of some ids, that were replaced or withdraw others, each with its latest version',
    method: 'GET',
    path: '/api/dataset/{datasetId}/replacement',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: z.strictObject({ ids: idList, ...atState.shape }),
    status: 200,
    reply: z.array(replacement),
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL', ...notReady],
  },
} as const satisfies Record<string, Call>
