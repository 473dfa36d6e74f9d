import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { damageEntry } from './damage.ts'
import { datasetInfo, repoEntry, viewEntry } from './dataset.ts'
import { dataset, datasetCalls, datasetField, datasetItem, notReady } from './dataset-calls.ts'
import { integrityByField } from './digest.ts'
import { importCalls } from './import-calls.ts'
import { insertBegun, insertCommitted, insertUploaded } from './item.ts'
import { limits } from './limits.ts'
import { page } from './page.ts'
import { viewPreview } from './preview.ts'
import { repoDescription } from './repo-description.ts'
import { viewDescription } from './view-description.ts'

/**
 * Every call of the API. The name of an entry is the name of the call everywhere:
 * client method, query key, handler, OpenAPI operation.
 */
export const api = {
  ...datasetCalls,
  repoList: {
    summary: 'List repositories, newest first',
    method: 'GET',
    path: '/api/repo',
    query: page,
    status: 200,
    reply: z.array(repoEntry),
    errors: [],
  },
  repoCreate: {
    summary: 'Create a repository; the same description again changes nothing',
    method: 'POST',
    path: '/api/repo',
    body: repoDescription,
    bodyBytes: limits.repoDescriptionBytes,
    repeatable: true,
    status: 201,
    repeatStatus: 200,
    reply: datasetInfo,
    errors: [
      'REQUEST_INVALID',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'REPO_NAME_TAKEN',
      'INTERNAL',
    ],
  },
  repoExtend: {
    summary:
      'Extend a repository: add optional fields, widen fields, change what it says of itself',
    method: 'PATCH',
    path: '/api/repo/{datasetId}',
    params: dataset,
    body: repoDescription,
    bodyBytes: limits.repoDescriptionBytes,
    repeatable: true,
    status: 200,
    reply: datasetInfo,
    errors: [
      'REQUEST_INVALID',
      'REPO_NOT_FOUND',
      'EXTENSION_REFUSED',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'INTERNAL',
    ],
  },
  repoDelete: {
    summary: 'Delete a repository and its items',
    method: 'DELETE',
    path: '/api/repo/{datasetId}',
    params: dataset,
    status: 204,
    errors: ['REPO_NOT_FOUND', 'DATASET_REFERENCED'],
  },
  insertBegin: {
    summary: 'Begin an insert: reserve an item id',
    method: 'POST',
    path: '/api/repo/{datasetId}/item',
    params: dataset,
    status: 201,
    reply: insertBegun,
    errors: ['REPO_OR_ITEM_NOT_FOUND', 'STORAGE_FULL'],
  },
  insertUpload: {
    summary: 'Upload values of an insert as multipart form data',
    method: 'POST',
    path: '/api/repo/{datasetId}/item/{itemId}',
    params: datasetItem,
    body: 'multipart',
    repeatable: true,
    status: 200,
    reply: insertUploaded,
    errors: [
      'REQUEST_INVALID',
      'REPO_OR_ITEM_NOT_FOUND',
      'INSERT_EXPIRED',
      'FIELD_NOT_IN_SCHEMA',
      'REQUEST_TIMEOUT',
      'INSERT_COMMITTED',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'DATA_NOT_CONFORMING',
      'STORAGE_FULL',
    ],
  },
  insertFieldUpload: {
    summary: 'Upload one value of an insert as the bare body',
    method: 'POST',
    path: '/api/repo/{datasetId}/item/{itemId}/field/{fieldName}',
    params: datasetField,
    body: 'bytes',
    repeatable: true,
    status: 200,
    reply: insertUploaded,
    errors: [
      'REQUEST_INVALID',
      'REPO_OR_ITEM_NOT_FOUND',
      'INSERT_EXPIRED',
      'FIELD_NOT_IN_SCHEMA',
      'REQUEST_TIMEOUT',
      'INSERT_COMMITTED',
      'CONTENT_TOO_LARGE',
      'DATA_NOT_CONFORMING',
      'STORAGE_FULL',
    ],
  },
  insertCommit: {
    summary: 'Commit an insert, sealing every value by its sha256',
    method: 'POST',
    path: '/api/repo/{datasetId}/item/{itemId}/commit',
    params: datasetItem,
    body: z.strictObject({ integrity: integrityByField }),
    repeatable: true,
    status: 200,
    reply: insertCommitted,
    errors: [
      'REQUEST_INVALID',
      'REPO_OR_ITEM_NOT_FOUND',
      'INSERT_EXPIRED',
      'FIELD_NOT_IN_SCHEMA',
      'INSERT_COMMITTED',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'DATA_NOT_CONFORMING',
      'INTEGRITY_MISMATCH',
      'STORAGE_FULL',
      ...notReady,
    ],
  },
  ...importCalls,
  viewList: {
    summary: 'List views, newest first',
    method: 'GET',
    path: '/api/view',
    query: page,
    status: 200,
    reply: z.array(viewEntry),
    errors: [],
  },
  viewCreate: {
    summary: 'Create a view; the same description again changes nothing',
    method: 'POST',
    path: '/api/view',
    body: viewDescription,
    bodyBytes: limits.descriptionBytes,
    repeatable: true,
    status: 201,
    repeatStatus: 200,
    reply: datasetInfo,
    errors: ['REQUEST_INVALID', 'CONTENT_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED', 'VIEW_NAME_TAKEN'],
  },
  viewPreview: {
    summary: 'Show what a view would be; changes nothing',
    method: 'POST',
    path: '/api/view/preview',
    body: viewDescription,
    bodyBytes: limits.descriptionBytes,
    repeatable: true,
    status: 200,
    reply: viewPreview,
    errors: ['REQUEST_INVALID', 'CONTENT_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED'],
  },
  viewDelete: {
    summary: 'Delete a view; the items of its base stay',
    method: 'DELETE',
    path: '/api/view/{datasetId}',
    params: dataset,
    status: 204,
    errors: ['VIEW_NOT_FOUND', 'DATASET_REFERENCED'],
  },
  damageList: {
    summary:
      'List the files and values that the server found damaged, in the order of their digests',
    method: 'GET',
    path: '/api/damage',
    query: page,
    status: 200,
    reply: z.array(damageEntry),
    errors: [],
  },
} as const satisfies Record<string, Call>

export type Api = typeof api
export type CallName = keyof Api
