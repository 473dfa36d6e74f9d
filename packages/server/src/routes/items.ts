import { progressHeader } from '@vitrine/contract'
import type { FastifyReply } from 'fastify'
import { fail, failAt } from '../failure.ts'
import type { Handlers } from '../http/route.ts'
import type { Answer } from '../views/answer.ts'
import type { Datasets } from '../views/datasets.ts'

type ItemReads = 'datasetItemList' | 'datasetItemGet' | 'datasetCount'

export function itemHandlers(datasets: Datasets): Pick<Handlers, ItemReads> {
  return {
    datasetItemList: async ({ params, query, reply }) => {
      refuseExploration(query)
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return told(reply, await dataset.items.page(query))
    },
    datasetItemGet: async ({ params }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const item = await dataset.items.get(params.itemId)
      if (item === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return item
    },
    datasetCount: async ({ params, query, reply }) => {
      refuseExploration(query)
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      return { totalItems: told(reply, await dataset.items.count()) }
    },
  }
}

/** `/config.json` does not announce `explore`; a filter that is ignored would be worse than none. */
function refuseExploration(query: { where?: unknown; order?: unknown }): void {
  const problems = (['where', 'order'] as const)
    .filter((name) => query[name] !== undefined)
    .map((name) => ({ path: [name], reason: 'this server filters and sorts by views alone' }))
  if (problems.length > 0) throw failAt('QUERY_INVALID', problems)
}

/** The value of an answer; where it is not the whole one, the reply says how far the view has looked. */
function told<T>(reply: FastifyReply, { value, progress }: Answer<T>): T {
  if (progress !== undefined) reply.header(progressHeader, `${progress.scanned}/${progress.head}`)
  return value
}
