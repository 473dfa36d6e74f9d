import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { datasetEntry, datasetInfo } from './dataset.ts'
import { datasetQuery, foundDataset } from './dataset-search.ts'
import { atState } from './dataset-state.ts'
import { exploration } from '../view/exploration.ts'
import { exportFormats, exportQuery } from './export.ts'
import { datasetGrowth } from './replies.ts'
import { item, itemCount, itemNeighbours, sealedItem } from './item.ts'
import { labelledItem, labelQuery } from './item-label.ts'
import { foundItems, itemSearchQuery } from './item-search.ts'
import { limits } from '../limits.ts'
import { page, partially } from './page.ts'
import { pictureQuery, pictureType } from './picture.ts'
import { itemAuthor, provenance } from './provenance.ts'
import { digits } from './query-text.ts'
import { datasetRole } from './role.ts'
import { datasetSummary } from './summary.ts'

const datasetId = z.string()
const itemId = digits(1, Number.MAX_SAFE_INTEGER)
export const dataset = z.object({ datasetId })
export const datasetItem = z.object({ datasetId, itemId })
export const datasetField = z.object({ datasetId, itemId, fieldName: z.string() })

/** Errors of calls that read views; a 503 without a code is the first of these. */
export const notReady = ['OVERLOADED', 'VIEW_NOT_READY'] as const

/** Query of calls whose result does not depend on the order of items. */
const filter = z.omit(exploration, { order: true })

/** The calls that read datasets of either kind. */
export const datasetCalls = {
  datasetList: {
    summary: 'List datasets, newest first',
    method: 'GET',
    path: '/api/dataset',
    scope: 'read',
    role: 'anyone',
    query: page,
    status: 200,
    reply: z.array(datasetEntry),
    errors: ['INTERNAL'],
  },
  datasetSearch: {
    summary: 'Search datasets by name, description and field',
    method: 'GET',
    path: '/api/search',
    scope: 'read',
    role: 'anyone',
    query: datasetQuery,
    status: 200,
    reply: z.array(foundDataset),
    errors: ['INTERNAL'],
  },
  itemSearch: {
    summary: 'Search items of all repositories by their texts, or the beginnings of them',
    method: 'GET',
    path: '/api/search/item',
    scope: 'read',
    role: 'anyone',
    query: itemSearchQuery,
    status: 200,
    reply: foundItems,
    errors: ['OVERLOADED', 'INTERNAL'],
  },
  datasetGet: {
    summary: 'Get one dataset: its schema, definition and references',
    method: 'GET',
    path: '/api/dataset/{datasetId}',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: atState,
    status: 200,
    reply: datasetInfo,
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL'],
  },
  datasetRole: {
    summary: 'Get your role on a dataset, and who owns it',
    method: 'GET',
    path: '/api/dataset/{datasetId}/role',
    scope: 'read',
    role: 'reader',
    params: dataset,
    status: 200,
    reply: datasetRole,
    errors: ['DATASET_NOT_FOUND'],
  },
  datasetItemList: {
    summary: 'List items; filter by `where`, search by `q`, sort by `order`',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: z.strictObject({
      ...page.shape,
      ...exploration.shape,
      ...partially.shape,
      ...atState.shape,
      /** Strings and JSON with more code points are cut off, and say so by `cut`. */
      cut: z.optional(digits(1, limits.cutMax)),
    }),
    status: 200,
    reply: z.array(item),
    errors: [
      'DATASET_OR_ITEM_NOT_FOUND',
      'STATE_NOT_FOUND',
      'PAGE_TOO_LARGE',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetItemGet: {
    summary: 'Get one item with the seal of each value',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item/{itemId}',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: datasetItem,
    query: atState,
    status: 200,
    reply: sealedItem,
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'STATE_NOT_FOUND',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetItemNeighbours: {
    summary:
      'Get the ids of the items before and after an item; filter by `where`, search by `q`, sort by `order`',
    method: 'GET',
    // Below the path of an item it would be in the place of a field of that name.
    path: '/api/dataset/{datasetId}/neighbours/{itemId}',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: datasetItem,
    query: z.strictObject({ ...exploration.shape, ...atState.shape }),
    status: 200,
    reply: itemNeighbours,
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'STATE_NOT_FOUND',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetItemAuthor: {
    summary: 'Get the author of an item',
    method: 'GET',
    path: '/api/dataset/{datasetId}/author/{itemId}',
    scope: 'read',
    role: 'reader',
    params: datasetItem,
    query: atState,
    status: 200,
    reply: itemAuthor,
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'STATE_NOT_FOUND',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetFieldGet: {
    summary: 'Get the bytes of one value',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item/{itemId}/{fieldName}',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: datasetField,
    query: atState,
    status: 200,
    reply: 'bytes',
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'FIELD_NOT_IN_SCHEMA',
      'STATE_NOT_FOUND',
      'RANGE_NOT_SATISFIABLE',
      'VALUE_DAMAGED',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetPictureGet: {
    summary: 'Get one value of an image type as a small picture',
    method: 'GET',
    path: '/api/dataset/{datasetId}/item/{itemId}/{fieldName}/small',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: datasetField,
    query: z.strictObject({ ...pictureQuery.shape, ...atState.shape }),
    status: 200,
    reply: 'bytes',
    replyTypes: [pictureType],
    errors: [
      'DATASET_NOT_FOUND',
      'DATASET_OR_ITEM_NOT_FOUND',
      'FIELD_NOT_IN_SCHEMA',
      'STATE_NOT_FOUND',
      'PICTURE_UNSUPPORTED',
      'PICTURE_TOO_LARGE',
      'PICTURE_UNREADABLE',
      'VALUE_DAMAGED',
      'INTERNAL',
      ...notReady,
    ],
  },
  datasetCount: {
    summary: 'Count items; filter by `where`, search by `q`',
    method: 'GET',
    path: '/api/dataset/{datasetId}/count',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: z.strictObject({ ...exploration.shape, ...partially.shape, ...atState.shape }),
    status: 200,
    reply: itemCount,
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetSummary: {
    summary: 'Summarize the values of each field: number, commonest values, distribution',
    method: 'GET',
    path: '/api/dataset/{datasetId}/summary',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: z.strictObject({ ...filter.shape, ...partially.shape, ...atState.shape }),
    status: 200,
    reply: datasetSummary,
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetGrowth: {
    summary: 'Get the growth of a dataset: the number of its items over time',
    method: 'GET',
    path: '/api/dataset/{datasetId}/growth',
    scope: 'read',
    role: 'reader',
    params: dataset,
    query: z.strictObject({ ...partially.shape, ...atState.shape }),
    status: 200,
    reply: datasetGrowth,
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetProvenance: {
    summary: 'Get the creator of a dataset and the changes to it, newest first',
    method: 'GET',
    path: '/api/dataset/{datasetId}/provenance',
    scope: 'read',
    role: 'reader',
    params: dataset,
    query: page,
    status: 200,
    reply: provenance,
    errors: ['DATASET_NOT_FOUND', 'INTERNAL'],
  },
  datasetLabelList: {
    summary: 'List the labels of items by their ids; those that do not exist are left out',
    method: 'GET',
    path: '/api/dataset/{datasetId}/label',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: z.strictObject({ ...labelQuery.shape, ...atState.shape }),
    status: 200,
    reply: z.array(labelledItem),
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL', ...notReady],
  },
  datasetExport: {
    summary:
      'Export items as they are at this moment; filter by `where`, search by `q`, sort by `order`',
    method: 'GET',
    path: '/api/dataset/{datasetId}/export',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: exportQuery,
    status: 200,
    reply: 'bytes',
    replyTypes: Object.values(exportFormats).map(({ mediaType }) => mediaType),
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL', 'LOG_NOT_SIGNED', ...notReady],
  },
} as const satisfies Record<string, Call>
