import * as z from 'zod/mini'
import type { Call } from './call.ts'
import {
  importAppendQuery,
  importGetQuery,
  importKey,
  importQuery,
  importReportQuery,
  importState,
  reportMediaTypes,
} from './import.ts'
import { page } from './page.ts'

const dataset = z.object({ datasetId: z.string() })
const datasetImport = z.object({ ...dataset.shape, importKey })

/** The calls of imports (docs/import-export.md). */
export const importCalls = {
  importList: {
    summary: 'List your imports into a repository, newest first',
    method: 'GET',
    path: '/api/repo/{datasetId}/import',
    scope: 'read',
    params: dataset,
    query: page,
    status: 200,
    reply: z.array(importState),
    errors: ['REPO_NOT_FOUND'],
  },
  importBegin: {
    summary:
      'Import a file of rows, or begin to; the same key again resumes the import, or changes nothing',
    method: 'POST',
    path: '/api/repo/{datasetId}/import',
    scope: 'add',
    params: dataset,
    query: importQuery,
    body: 'bytes',
    status: 201,
    repeatStatus: 200,
    reply: importState,
    errors: [
      'REQUEST_INVALID',
      'REPO_NOT_FOUND',
      'FIELD_NOT_IN_SCHEMA',
      'REQUEST_TIMEOUT',
      'IMPORT_KEY_TAKEN',
      'IMPORT_OFFSET',
      'CONTENT_TOO_LARGE',
      'IMPORT_MALFORMED',
      'IMPORT_REFUSED',
      'STORAGE_FULL',
    ],
  },
  importAppend: {
    summary: 'Append to the file of an import at an offset',
    method: 'POST',
    path: '/api/repo/{datasetId}/import/{importKey}',
    scope: 'add',
    params: datasetImport,
    query: importAppendQuery,
    body: 'bytes',
    status: 200,
    reply: importState,
    errors: [
      'REQUEST_INVALID',
      'IMPORT_NOT_FOUND',
      'REQUEST_TIMEOUT',
      'IMPORT_OFFSET',
      'CONTENT_TOO_LARGE',
      'STORAGE_FULL',
    ],
  },
  importGet: {
    summary: 'Get the state of an import, or wait for its end',
    method: 'GET',
    path: '/api/repo/{datasetId}/import/{importKey}',
    scope: 'read',
    params: datasetImport,
    query: importGetQuery,
    status: 200,
    reply: importState,
    errors: ['IMPORT_NOT_FOUND'],
  },
  importReport: {
    summary: 'Get the refused rows of an import, with the reasons',
    method: 'GET',
    path: '/api/repo/{datasetId}/import/{importKey}/report',
    scope: 'read',
    params: datasetImport,
    query: importReportQuery,
    status: 200,
    reply: 'bytes',
    replyTypes: Object.values(reportMediaTypes),
    errors: ['IMPORT_NOT_FOUND'],
  },
  importCancel: {
    summary: 'Cancel an import before it is published',
    method: 'DELETE',
    path: '/api/repo/{datasetId}/import/{importKey}',
    scope: 'add',
    params: datasetImport,
    status: 204,
    errors: ['IMPORT_NOT_FOUND', 'IMPORT_DONE'],
  },
} as const satisfies Record<string, Call>
