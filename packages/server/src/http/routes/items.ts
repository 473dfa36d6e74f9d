import { progressHeader } from '@vitrine/contract'
import type { FastifyReply } from 'fastify'
import { fail } from '../../failure.ts'
import { FinalReplies } from '../final-replies.ts'
import { JsonText } from '../json-text.ts'
import type { Handlers } from '../route.ts'
import { whenGone } from '../when-gone.ts'
import type { Answer } from '../../views/answer.ts'
import type { Datasets, ReadableDataset } from '../../views/datasets.ts'

type ItemReads = 'datasetItemList' | 'datasetItemGet' | 'datasetCount'

export function itemHandlers(datasets: Datasets): Pick<Handlers, ItemReads> {
  // The address tells all replies of a dataset apart; ids are never given twice, names are.
  const finalReplies = new FinalReplies()
  return {
    datasetItemList: async ({ params, query, request, reply }) => {
      const keyOf = ({ id }: ReadableDataset) => `${id} ${request.originalUrl}`
      const answer = await datasets.read(params.datasetId, {
        // What passes an exploration may be found when its dataset is gone.
        isTelling: (dataset) =>
          query.where === undefined &&
          query.order === undefined &&
          !finalReplies.has(keyOf(dataset)),
        read: (dataset) =>
          finalReplies.find(keyOf(dataset), async () => {
            const explored = await datasets.explorations.find(dataset, query)
            if (explored === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
            return explored.page(query, { partial: query.partial, gone: () => whenGone(reply) })
          }),
        hasFound: ({ value }) => value instanceof JsonText || value.length > 0,
      })
      if (answer === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return told(reply, answer)
    },
    datasetItemGet: async ({ params, request, reply }) => {
      const keyOf = ({ id }: ReadableDataset) => `${id} ${request.originalUrl}`
      const answer = await datasets.read(params.datasetId, {
        isTelling: (dataset) => !finalReplies.has(keyOf(dataset)),
        read: (dataset) =>
          finalReplies.find(keyOf(dataset), () =>
            dataset.items.get(params.itemId, { gone: () => whenGone(reply) }),
          ),
        hasFound: ({ value }) => value !== undefined,
      })
      if (answer === undefined) throw fail('DATASET_NOT_FOUND')
      if (answer.value === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return answer.value
    },
    datasetCount: async ({ params, query, reply }) => {
      const dataset = await datasets.find(params.datasetId)
      const explored = dataset && (await datasets.explorations.find(dataset, query))
      if (explored === undefined) throw fail('DATASET_NOT_FOUND')
      const asking = { partial: query.partial, gone: () => whenGone(reply) }
      return told(reply, await explored.count(asking))
    },
  }
}

/** The value of an answer; where it is a part, the header says how far the view has looked. */
function told<T>(reply: FastifyReply, { value, progress }: Answer<T>): T {
  if (progress !== undefined) reply.header(progressHeader, `${progress.scanned}/${progress.total}`)
  return value
}
