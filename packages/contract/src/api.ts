import * as z from 'zod/mini'
import { auditCalls } from './audit-calls.ts'
import type { Call } from './call.ts'
import { damageEntry } from './damage.ts'
import { datasetInfo, repoEntry, viewEntry } from './dataset.ts'
import { dataset, datasetCalls, datasetField, datasetItem, notReady } from './dataset-calls.ts'
import { deletedCalls } from './deleted.ts'
import { integrityByField } from './digest.ts'
import { importCalls } from './import-calls.ts'
import { insertBegun, insertCommitted, insertUploaded } from './item.ts'
import { itemAddQuery, itemAdditions, itemsAdded } from './item-addition.ts'
import { limits } from './limits.ts'
import { logCalls } from './log-calls.ts'
import { originCalls } from './origin.ts'
import { page } from './page.ts'
import { viewPreview } from './preview.ts'
import { repoDescription } from './repo-description.ts'
import { snapshotCalls } from './snapshot-calls.ts'
import { tokenCalls } from './token-calls.ts'
import { viewDescription } from './view-description.ts'

/**
 * Every call of the API. The name of an entry is the name of the call everywhere:
 * client method, query key, handler, OpenAPI operation.
 */
export const api = {
  ...datasetCalls,
  ...snapshotCalls,
  repoList: {
    summary: 'List repositories, newest first',
    method: 'GET',
    path: '/api/repo',
    scope: 'read',
    query: page,
    status: 200,
    reply: z.array(repoEntry),
    errors: [],
  },
  repoCreate: {
    summary: 'Create a repository; the same description again changes nothing',
    method: 'POST',
    path: '/api/repo',
    scope: 'manage',
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
    scope: 'manage',
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
    scope: 'manage',
    params: dataset,
    status: 204,
    errors: ['REPO_NOT_FOUND', 'DATASET_REFERENCED'],
  },
  insertBegin: {
    summary: 'Begin an insert: reserve an item id',
    method: 'POST',
    path: '/api/repo/{datasetId}/item',
    scope: 'add',
    params: dataset,
    status: 201,
    reply: insertBegun,
    errors: ['REPO_OR_ITEM_NOT_FOUND', 'STORAGE_FULL'],
  },
  insertUpload: {
    summary: 'Upload values of an insert as multipart form data',
    method: 'POST',
    path: '/api/repo/{datasetId}/item/{itemId}',
    scope: 'add',
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
    scope: 'add',
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
    scope: 'add',
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
  itemAdd: {
    summary:
      'Add an item in one request: its values, and in the part `integrity.json` their digests; the same key again changes nothing',
    scope: 'add',
    method: 'POST',
    path: '/api/repo/{datasetId}/items',
    params: dataset,
    query: itemAddQuery,
    body: 'multipart',
    repeatable: true,
    status: 201,
    repeatStatus: 200,
    reply: insertCommitted,
    errors: [
      'REQUEST_INVALID',
      'REPO_OR_ITEM_NOT_FOUND',
      'FIELD_NOT_IN_SCHEMA',
      'REQUEST_TIMEOUT',
      'INSERT_COMMITTED',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
      'DATA_NOT_CONFORMING',
      'INTEGRITY_MISMATCH',
      'STORAGE_FULL',
      ...notReady,
    ],
  },
  itemAddMany: {
    summary: `Add up to ${limits.addedItems} items, each answered by itself; one whose key was sent before is not added again`,
    scope: 'add',
    method: 'POST',
    path: '/api/repo/{datasetId}/items/batch',
    params: dataset,
    body: itemAdditions,
    bodyBytes: limits.addedItemsBytes,
    repeatable: true,
    status: 200,
    reply: itemsAdded,
    errors: [
      'REQUEST_INVALID',
      'REPO_OR_ITEM_NOT_FOUND',
      'REQUEST_TIMEOUT',
      'CONTENT_TOO_LARGE',
      'MEDIA_TYPE_UNSUPPORTED',
    ],
  },
  ...importCalls,
  ...logCalls,
  ...originCalls,
  ...tokenCalls,
  ...auditCalls,
  ...deletedCalls,
  viewList: {
    summary: 'List views, newest first',
    method: 'GET',
    path: '/api/view',
    scope: 'read',
    query: page,
    status: 200,
    reply: z.array(viewEntry),
    errors: [],
  },
  viewCreate: {
    summary: 'Create a view; the same description again changes nothing',
    method: 'POST',
    path: '/api/view',
    scope: 'manage',
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
    scope: 'read',
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
    scope: 'manage',
    params: dataset,
    status: 204,
    errors: ['VIEW_NOT_FOUND', 'DATASET_REFERENCED'],
  },
  damageList: {
    summary:
      'List the files and values that the server found damaged, in the order of their digests',
    method: 'GET',
    path: '/api/damage',
    scope: 'read',
    query: page,
    status: 200,
    reply: z.array(damageEntry),
    errors: [],
  },
} as const satisfies Record<string, Call>

export type Api = typeof api
export type CallName = keyof Api
