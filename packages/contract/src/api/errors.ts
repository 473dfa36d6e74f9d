import * as z from 'zod/mini'
import { repoChange } from '../repo/repo-change.ts'
import { person } from './replies.ts'
import { scanProgress } from './scan-progress.ts'

const insertUnknown =
  'repo or item not found, or the insert was not initialized or its deadline was exceeded'

/**
 * The one error catalogue. `code` is stable and is what programs branch on; `message` is for people, and
 * pages quote some of them to the letter (e2e/specified-texts.e2e.ts). A test holds `docs/errors.md` equal
 * to it.
 */
export const errors = {
  QUERY_INVALID: { status: 400, message: 'Bad Request' },
  REQUEST_INVALID: { status: 400, message: 'got incorrect data in request' },
  TOKEN_MISSING: { status: 401, message: 'Unauthorized' },
  TOKEN_INVALID: { status: 401, message: 'Unauthorized' },
  TOKEN_EXPIRED: { status: 401, message: 'Unauthorized' },
  SCOPE_INSUFFICIENT: { status: 403, message: 'the token lacks the scope of this call' },
  FORBIDDEN: { status: 403, message: 'your role does not allow this' },
  TOKEN_LIMITED: { status: 403, message: 'the token is for some datasets only' },
  LINK_INVALID: { status: 403, message: 'the link is not valid' },
  LINKS_OFF: { status: 403, message: 'links are switched off' },
  ROLES_OFF: { status: 403, message: 'roles are switched off' },
  TOKENS_OFF: { status: 403, message: 'personal access tokens are switched off' },
  ADMINISTRATOR_REQUIRED: { status: 403, message: 'only administrators may do this' },
  ROUTE_NOT_FOUND: { status: 404, message: 'Not Found' },
  DATASET_NOT_FOUND: { status: 404, message: 'dataset not found' },
  DATASET_OR_ITEM_NOT_FOUND: { status: 404, message: 'dataset or item not found' },
  REPO_NOT_FOUND: { status: 404, message: 'repo not found' },
  VIEW_NOT_FOUND: { status: 404, message: 'view not found' },
  FIELD_NOT_IN_SCHEMA: { status: 404, message: 'field not in schema' },
  REPO_OR_ITEM_NOT_FOUND: { status: 404, message: insertUnknown },
  INSERT_EXPIRED: { status: 404, message: insertUnknown },
  STATE_NOT_FOUND: { status: 404, message: 'the repository has fewer items' },
  SNAPSHOT_PART_NOT_FOUND: { status: 404, message: 'the snapshot has fewer parts' },
  LOG_RANGE_NOT_FOUND: { status: 404, message: 'the log has no such entries' },
  IMPORT_NOT_FOUND: { status: 404, message: 'repo or import not found' },
  TOKEN_NOT_FOUND: { status: 404, message: 'token not found' },
  LINK_NOT_FOUND: { status: 404, message: 'link not found' },
  GRANT_NOT_FOUND: { status: 404, message: 'grant not found' },
  PERSON_NOT_FOUND: { status: 404, message: 'person not found' },
  DELETED_NOT_FOUND: { status: 404, message: 'deleted dataset not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method Not Allowed' },
  REQUEST_TIMEOUT: { status: 408, message: 'Request Timeout' },
  REPO_NAME_TAKEN: {
    status: 409,
    message: 'a repository with the same name exists with a different schema',
  },
  VIEW_NAME_TAKEN: {
    status: 409,
    message: 'a view with the same name exists with a different definition',
  },
  DATASET_REFERENCED: { status: 409, message: 'dataset is referenced by other datasets' },
  DELETED_NAME_TAKEN: {
    status: 409,
    message: 'its name is taken: choose another',
  },
  DELETED_NEEDS_OTHERS: {
    status: 409,
    message: 'it refers to deleted datasets: take them back first',
  },
  EXTENSION_REFUSED: {
    status: 409,
    message: 'the description does not extend the current one',
  },
  ITEM_REPLACED: { status: 409, message: 'item was replaced' },
  INSERT_COMMITTED: { status: 409, message: 'item is already committed' },
  IMPORT_KEY_TAKEN: {
    status: 409,
    message: 'the key was used with other options',
  },
  IMPORT_OFFSET: { status: 409, message: 'the import has another number of bytes' },
  IMPORT_NOT_CHECKED: { status: 409, message: 'import awaits no confirmation' },
  IMPORT_DONE: { status: 409, message: 'import is already published' },
  SNAPSHOT_IN_PARTS: { status: 409, message: 'the snapshot is in several parts' },
  CONTENT_TOO_LARGE: { status: 413, message: 'Content Too Large' },
  PAGE_TOO_LARGE: {
    status: 413,
    message: 'the page has over 32 MiB of text: lower pageSize',
  },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, message: 'Unsupported Media Type' },
  PICTURE_UNSUPPORTED: { status: 415, message: 'no picture is made of this media type' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'Range Not Satisfiable' },
  DATA_NOT_CONFORMING: { status: 422, message: 'data does not conform to schema' },
  INTEGRITY_MISMATCH: {
    status: 422,
    message: 'data does not conform to schema: a digest differs from what was received',
  },
  IMPORT_MALFORMED: { status: 422, message: 'the file cannot be read' },
  IMPORT_REFUSED: {
    status: 422,
    message: 'data does not conform to schema: rows were refused, so nothing was imported',
  },
  PICTURE_TOO_LARGE: { status: 422, message: 'the value is too large for a small picture' },
  PICTURE_UNREADABLE: { status: 422, message: 'the value is no readable picture' },
  SNAPSHOT_TOO_LARGE: {
    status: 422,
    message: 'the snapshot is too large',
  },
  HEADERS_TOO_LARGE: { status: 431, message: 'Request Header Fields Too Large' },
  VALUE_DAMAGED: { status: 500, message: 'the stored value is damaged' },
  LOG_DAMAGED: { status: 500, message: 'items of the log are missing' },
  LOG_NOT_SIGNED: { status: 500, message: 'the log was rolled back' },
  INTERNAL: { status: 500, message: 'unknown error' },
  OVERLOADED: { status: 503, message: 'Service Unavailable' },
  PROVIDER_UNAVAILABLE: { status: 503, message: 'identity provider is unavailable' },
  STORAGE_UNAVAILABLE: { status: 503, message: 'storage is unavailable' },
  VIEW_NOT_READY: { status: 503, message: 'the view has not looked at all items yet' },
  SNAPSHOT_NOT_READY: { status: 503, message: 'the snapshot is being made' },
  STORAGE_FULL: { status: 507, message: 'Insufficient Storage' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

/** Problem at one place of a request: a field, a query parameter or a path in a JSON body. */
export const problem = z.object({
  /** Keys and indexes that lead to the place; empty for the whole. */
  path: z.array(z.union([z.string(), z.number()])),
  /** Sentence without a full stop on what is wrong and what was expected. */
  reason: z.string(),
  /** The nearest name that would have been valid. */
  nearest: z.optional(z.string()),
  /** Whether the last key of the path is itself what is wrong, rather than what stands under it. */
  atKey: z.optional(z.boolean()),
})
export type Problem = z.infer<typeof problem>

export const errorDetails = z.looseObject({
  /** The first `limits.problems` of them. */
  problems: z.optional(z.array(problem)),
  /** How many there are, where `problems` does not name all. */
  problemsTotal: z.optional(z.number()),
  /** Differences that keep a description from being an extension of the current one. */
  differences: z.optional(z.array(repoChange)),
  /** Names of the datasets that keep a dataset from being deleted. */
  referencedBy: z.optional(z.array(z.string())),
  /** Names of the deleted datasets that are to be taken back before one. */
  needs: z.optional(z.array(z.string())),
  /** The key of the import that failed, and how many of its rows were refused. */
  importKey: z.optional(z.string()),
  refusedRows: z.optional(z.number()),
  /** How many bytes of its file an import has received. */
  receivedBytes: z.optional(z.number()),
  /** How many items a repository has that has not had as many as were asked for. */
  totalItems: z.optional(z.number()),
  /** Address of the list of parts of a snapshot. */
  manifest: z.optional(z.string()),
  /** Scope that a call needs and the token lacks. */
  scope: z.optional(z.string()),
  /** Role that a call needs, and that of whoever makes it. */
  needed: z.optional(z.string()),
  /** The dataset where it is not the one of the call. */
  dataset: z.optional(z.string()),
  role: z.optional(z.string()),
  /** People who own the dataset, and can help. */
  owners: z.optional(z.array(person)),
  /** The item that replaced another. */
  replacedBy: z.optional(z.number()),
  /** How far a view has looked that is not ready. */
  progress: z.optional(scanProgress),
})
export type ErrorDetails = z.infer<typeof errorDetails>

/** The body of every error reply. A 409 on creation or extension carries the existing dataset's info beside it. */
export const errorBody = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.optional(errorDetails),
})
export type ErrorBody = z.infer<typeof errorBody>
