import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { dataset } from './dataset-calls.ts'
import { limits } from '../limits.ts'
import { page } from './page.ts'
import { digits } from './query-text.ts'
import { person } from './replies.ts'
import { tokenName } from './token.ts'

const hoursReason = `must be 1 to ${limits.linkHours} whole hours`

/** Body of the call that creates a link. */
export const newLink = z.strictObject({
  name: tokenName,
  /** Hours until it expires. */
  hours: z
    .number(hoursReason)
    .check(z.int(hoursReason), z.minimum(1, hoursReason), z.maximum(limits.linkHours, hoursReason)),
  /** The one state that it shows; the dataset as it is then where it is left out. */
  at: z.optional(z.int('must be a number of items').check(z.minimum(0, 'must be at least 0'))),
})
export type NewLink = z.infer<typeof newLink>

/** A signed link to a dataset as it is listed, without the text that opens it. Moments are ISO 8601 in UTC. */
export const linkInfo = z.object({
  id: z.number(),
  name: z.string(),
  /** The one state that it shows; null of the dataset as it is then. */
  at: z.nullable(z.number()),
  /** Who created it, in whose place it reads. */
  by: person,
  createdAt: z.string(),
  expiresAt: z.string(),
  /** When it was last used, to about a minute; null of one that never was. */
  usedAt: z.nullable(z.string()),
})
export type LinkInfo = z.infer<typeof linkInfo>

/** A link that was just created: this is the one time that its text is shown, the query parameter `link`. */
export const createdLink = z.extend(linkInfo, { link: z.string() })
export type CreatedLink = z.infer<typeof createdLink>

/** The calls about signed links to one dataset (docs/links.md). No token may make one of them. */
export const linkCalls = {
  linkList: {
    summary: 'List signed links to a dataset, newest first: yours, or for its owners all',
    method: 'GET',
    path: '/api/dataset/{datasetId}/link',
    scope: 'session',
    role: 'reader',
    params: dataset,
    query: page,
    status: 200,
    reply: z.array(linkInfo),
    errors: ['DATASET_NOT_FOUND'],
  },
  linkCreate: {
    summary: 'Create a signed link to a dataset or one state of it, shown in this reply only',
    method: 'POST',
    path: '/api/dataset/{datasetId}/link',
    scope: 'session',
    role: 'reader',
    params: dataset,
    body: newLink,
    status: 201,
    reply: createdLink,
    errors: [
      'REQUEST_INVALID',
      'LINKS_OFF',
      'DATASET_NOT_FOUND',
      'STATE_NOT_FOUND',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
    ],
  },
  linkRevoke: {
    summary: 'Revoke a signed link at once: yours, or for owners of the dataset any',
    method: 'DELETE',
    path: '/api/dataset/{datasetId}/link/{linkId}',
    scope: 'session',
    role: 'reader',
    params: z.extend(dataset, { linkId: digits(1, Number.MAX_SAFE_INTEGER) }),
    status: 204,
    errors: ['DATASET_NOT_FOUND', 'LINK_NOT_FOUND'],
  },
} as const satisfies Record<string, Call>
