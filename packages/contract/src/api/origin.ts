import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { dataset } from './dataset-calls.ts'
import { limits } from '../limits.ts'

const count = z.int().check(z.minimum(0))

/** Origin of items that were imported from a bundle, as declared by the import (docs/bundles.md). */
const originAddition = z.strictObject({
  /** Position of the first of these items in the repository, from 0. */
  from: count,
  /** The signed note of the log that had them, and the verifier key that it is signed by. */
  checkpoint: z.string().check(z.maxLength(limits.checkpointLength)),
  key: z.string().check(z.maxLength(limits.checkpointLength)),
  /** Their entries in that log. */
  entries: z.array(z.string()).check(z.minLength(1), z.maxLength(limits.originEntries)),
})

export const originCalls = {
  originAdd: {
    summary: 'Declare the origin of items that you imported; the same again changes nothing',
    method: 'POST',
    path: '/api/repo/{datasetId}/origin',
    scope: 'add',
    role: 'curator',
    params: dataset,
    body: originAddition,
    bodyBytes: limits.originBytes,
    repeatable: true,
    status: 204,
    errors: [
      'REQUEST_INVALID',
      'REPO_NOT_FOUND',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'INTERNAL',
    ],
  },
} as const satisfies Record<string, Call>
