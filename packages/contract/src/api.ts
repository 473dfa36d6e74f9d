import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { datasetEntry, datasetInfo, repoEntry, viewEntry } from './dataset.ts'
import { integrityByField } from './digest.ts'
import { exploration } from './exploration.ts'
import { exportMediaTypes, exportQuery } from './export.ts'
import { importCalls } from './import-calls.ts'
import {
  insertBegun,
  insertCommitted,
  insertUploaded,
  item,
  itemCount,
  sealedItem,
} from './item.ts'
import { limits } from './limits.ts'
import { page } from './page.ts'
import { partially } from './partially.ts'
import { viewPreview } from './preview.ts'
import { digits } from './query-text.ts'
import { repoDescription } from './repo-description.ts'
import { viewDescription } from './view-description.ts'

const datasetId = z.string()
const itemId = digits(1, Number.MAX_SAFE_INTEGER)
const dataset = z.object({ datasetId })
const datasetItem = z.object({ datasetId, itemId })
const datasetField = z.object({ datasetId, itemId, fieldName: z.string() })

/** Of calls that read views; a 503 without a code is the first of these. */
const notReady = ['OVERLOADED', 'VIEW_NOT_READY'] as const

/**
 * Every call of the API (specification §7). The name of an entry is the name of the call everywhere:
 * client method, query key, handler, OpenAPI operation.
 */
export const api = {
  datasetList: {
    summary: 'List datasets, newest first',
    method: 'GET',
    path: '/api/dataset',
    query: page,
    status: 200,
    reply: z.array(datasetEntry),
    errors: ['INTERNAL'],
  },
  datasetGet: {
    summary: 'Get one dataset: its schema, definition and references',
    method: 'GET',
    path: '/api/dataset/{datasetId}',
    params: dataset,
    status: 200,
    reply: datasetInfo,
    errors: ['DATASET_NOT_FOUND', 'INTERNAL'],
  },
  datasetItemList: {
    summary: 'List the items of a dataset in its order, or those that pass `where` in another',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item',
    params: dataset,
    query: z.strictObject({ ...page.shape, ...exploration.shape, ...partially.shape }),
    status: 200,
    reply: z.array(item),
    errors: ['DATASET_OR_ITEM_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetItemGet: {
    summary: 'Get one item with the seal of each value',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item/{itemId}',
    params: datasetItem,
    status: 200,
    reply: sealedItem,
    errors: ['DATASET_NOT_FOUND', 'DATASET_OR_ITEM_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetFieldGet: {
    summary: 'Get the bytes of one value',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item/{itemId}/{fieldName}',
    params: datasetField,
    status: 200,
    reply: 'bytes',
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'FIELD_NOT_IN_SCHEMA',
      'RANGE_NOT_SATISFIABLE',
      'VALUE_DAMAGED',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetCount: {
    summary: 'Count the items of a dataset, or those that pass `where`',
    method: 'GET',
    path: '/api/dataset/{datasetId}/count',
    params: dataset,
    query: z.strictObject({ ...exploration.shape, ...partially.shape }),
    status: 200,
    reply: itemCount,
    errors: ['DATASET_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetExport: {
    summary: 'Export the items of a dataset as they are at this moment',
    method: 'GET',
    path: '/api/dataset/{datasetId}/export',
    params: dataset,
    query: exportQuery,
    status: 200,
    reply: 'bytes',
    replyTypes: Object.values(exportMediaTypes),
    errors: ['DATASET_NOT_FOUND', 'INTERNAL', ...notReady],
  },
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
    bodyBytes: limits.descriptionBytes,
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
} as const satisfies Record<string, Call>

export type Api = typeof api
export type CallName = keyof Api
