import type { Choices } from './choices.ts'
import { jsonRequest, request, type Requests } from './replayed-request.ts'
import { spoil } from './replayed-reads.ts'

type Field = { name: string; type: string } & Record<string, unknown>

const added: Field[] = [
  { name: 'amount', type: 'integer' },
  { name: 'share', type: 'number' },
  { name: 'seen', type: 'boolean' },
  { name: 'on', type: 'date' },
  { name: 'at', type: 'timestamp' },
  { name: 'rest', type: 'json', length: 500 },
  { name: 'kind', type: 'string', choices: ['a', 'b'] },
  { name: 'page', type: 'url' },
  { name: 'needed', type: 'string', length: 5, optional: false },
]

/** Extends a repository of a word and a reference, well and badly, and reads it as it is then. */
export function* extendRepo(choices: Choices, datasetId: string): Requests {
  for (let count = 0; count < 4; count += 1) {
    const schema: Field[] = [
      { name: 'word', type: 'string', length: choices.pick([5, 10, 20, 100]) },
      { name: 'see', type: 'reference', target: datasetId, optional: choices.happens(90) },
    ]
    if (choices.happens(70)) schema.push({ optional: true, ...choices.pick(added) })
    if (choices.happens(10)) schema.shift()
    const description = {
      name: datasetId,
      ...(choices.happens(30) && { description: 'what was imported' }),
      schema,
    }
    const body = choices.happens(10) ? spoil(choices, description) : description
    yield jsonRequest('repoExtend', { datasetId: choices.happens(10) ? 'nobody' : datasetId }, body)
    yield request('datasetGet', { datasetId })
  }
  yield request('datasetItemList', { datasetId, pageSize: 5 })
  yield request('datasetSummary', { datasetId })
}
