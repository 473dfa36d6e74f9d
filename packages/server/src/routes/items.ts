import { progressHeader } from '@vitrine/contract'
import type { FastifyReply } from 'fastify'
import { fail } from '../failure.ts'
import type { Handlers } from '../http/route.ts'
import type { Answer } from '../views/answer.ts'
import type { Datasets } from '../views/datasets.ts'

type ItemReads = 'datasetItemList' | 'datasetItemGet' | 'datasetCount'

export function itemHandlers(datasets: Datasets): Pick<Handlers, ItemReads> {
  return {
    datasetItemList: async ({ params, query, reply }) => {
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
    datasetCount: async ({ params, reply }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      return { totalItems: told(reply, await dataset.items.count()) }
    },
  }
}

/** The value of an answer; where it is not the whole one, the reply says how far the view has looked. */
function told<T>(reply: FastifyReply, { value, progress }: Answer<T>): T {
  if (progress !== undefined) reply.header(progressHeader, `${progress.scanned}/${progress.head}`)
  return value
}
