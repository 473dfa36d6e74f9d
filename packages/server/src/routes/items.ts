import { progressHeader } from '@vitrine/contract'
import type { FastifyReply } from 'fastify'
import { fail } from '../failure.ts'
import { FinalReplies } from '../http/final-replies.ts'
import type { Handlers } from '../http/route.ts'
import type { Answer } from '../views/answer.ts'
import type { Datasets } from '../views/datasets.ts'

type ItemReads = 'datasetItemList' | 'datasetItemGet' | 'datasetCount'

export function itemHandlers(datasets: Datasets): Pick<Handlers, ItemReads> {
  // The address tells all replies of a dataset apart; ids are never given twice, names are.
  const finalReplies = new FinalReplies()
  return {
    datasetItemList: async ({ params, query, request, reply }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      const key = `${dataset.id} ${request.originalUrl}`
      const answer = await finalReplies.find(key, async () => {
        const explored = await datasets.explorations.find(dataset, query)
        if (explored === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
        return explored.page(query)
      })
      return told(reply, answer)
    },
    datasetItemGet: async ({ params, request }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const key = `${dataset.id} ${request.originalUrl}`
      const { value } = await finalReplies.find(key, () => dataset.items.get(params.itemId))
      if (value === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return value
    },
    datasetCount: async ({ params, query, reply }) => {
      const dataset = await datasets.find(params.datasetId)
      const explored = dataset && (await datasets.explorations.find(dataset, query))
      if (explored === undefined) throw fail('DATASET_NOT_FOUND')
      return told(reply, await explored.count())
    },
  }
}

/** The value of an answer; where it is not the whole one, the reply says how far the view has looked. */
function told<T>(reply: FastifyReply, { value, progress }: Answer<T>): T {
  if (progress !== undefined) reply.header(progressHeader, `${progress.scanned}/${progress.head}`)
  return value
}
