import { api } from '@vitrine/contract'
import { expect, test } from 'vitest'
import { replyError } from '../src/call/api-error.ts'
import { createClient, deleteDataset } from '../src/index.ts'

const bare = (status: number) => ({ status, statusText: 'Some Text', text: 'some body' })

// What a call says when a server answers with a status and nothing else.
test.each([
  ['datasetList', 400, 'Bad Request'],
  ['datasetList', 401, 'Unauthorized'],
  ['datasetList', 500, 'unknown error'],
  ['datasetGet', 404, 'dataset not found'],
  ['datasetItemList', 404, 'dataset or item not found'],
  ['datasetItemGet', 404, 'dataset not found'],
  ['datasetCount', 404, 'dataset not found'],
  ['datasetFieldGet', 500, 'unknown error'],
  ['datasetItemList', 503, 'Service Unavailable'],
  ['repoCreate', 400, 'got incorrect data in request'],
  ['repoCreate', 409, 'a repository with the same name exists with a different schema'],
  ['repoCreate', 500, 'unknown error'],
  ['repoDelete', 404, 'repo not found'],
  ['repoDelete', 500, 'Internal Server Error'],
  ['repoList', 500, 'Internal Server Error'],
  ['repoList', 503, 'Service Unavailable'],
  [
    'insertUpload',
    404,
    'repo or item not found, or the insert was not initialized or its deadline was exceeded',
  ],
  ['insertUpload', 422, 'data does not conform to schema'],
  ['insertCommit', 422, 'data does not conform to schema'],
  ['viewCreate', 409, 'a view with the same name exists with a different definition'],
  ['viewDelete', 404, 'view not found'],
  ['viewList', 404, 'Not Found'],
  ['viewList', 409, 'Conflict'],
  ['viewList', 422, 'Unprocessable Content'],
  ['viewList', 418, 'Generic Error: 418; Some Text; some body'],
] as const)('%s answered with %i says %j', (name, status, message) => {
  expect(replyError(api[name], bare(status)).message).toBe(message)
})

test('a cancelled request says so', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: () => undefined })
  await expect(client.datasetList({}, { signal: AbortSignal.abort() })).rejects.toThrow(
    'Request aborted',
  )
})

test('a dataset that is neither view nor repository cannot be deleted', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: () => undefined })
  await expect(deleteDataset(client, { name: 'x' })).rejects.toThrow(
    'dataset is neiter view nor repo: invalid',
  )
})
