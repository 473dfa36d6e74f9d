import type { Call } from './call.ts'
import { stateInfo } from './dataset.ts'
import { dataset, notReady } from './dataset-calls.ts'
import { datasetDiff, diffQuery } from './dataset-diff.ts'
import { atState } from './dataset-state.ts'

/** The calls about states of datasets, `name@N` (docs/states.md). */
export const stateCalls = {
  datasetState: {
    summary:
      'Get the current state of a dataset (the number of items of its repository), or the time of a state',
    method: 'GET',
    path: '/api/dataset/{datasetId}/state',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: dataset,
    query: atState,
    status: 200,
    reply: stateInfo,
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'INTERNAL'],
  },
  datasetDiff: {
    summary: 'List the items that only one of two states of a dataset has, and how many they are',
    method: 'GET',
    path: '/api/dataset/{datasetId}/diff',
    scope: 'read',
    role: 'reader',
    params: dataset,
    query: diffQuery,
    status: 200,
    reply: datasetDiff,
    errors: ['DATASET_NOT_FOUND', 'STATE_NOT_FOUND', 'PAGE_TOO_LARGE', 'INTERNAL', ...notReady],
  },
} as const satisfies Record<string, Call>
