import { type AtState, type DatasetState, isPart, progressHeader } from '@vitrine/contract'
import type { FastifyReply } from 'fastify'
import { fail } from '../../failure.ts'
import { FinalReplies, JsonText } from '../final-replies.ts'
import { type Handlers, disconnectSignal } from '../route.ts'
import type { ReadResult } from '../../reading/read-result.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import type { ReadableDataset } from '../../reading/compiled-datasets.ts'

type ItemReads =
  | 'datasetItemList'
  | 'datasetItemGet'
  | 'datasetItemNeighbours'
  | 'datasetCount'
  | 'datasetSummary'
  | 'datasetGrowth'

export function itemHandlers(datasets: DatasetReader): Pick<Handlers, ItemReads> {
  // The address tells all replies of a dataset apart; ids are never given twice, names are.
  const finalReplies = new FinalReplies()
  return {
    datasetItemList: async ({ params, query, visibility, request, reply }) => {
      datasets.warmUp()
      const isExplored = isPart(query) || query.order !== undefined
      // What passes depends on what references lead to, which not everybody may read.
      const isForAll = !isExplored || visibility === 'all'
      const keyOf = ({ id, revision }: ReadableDataset) =>
        `${id} ${revision} ${request.originalUrl}`
      const answer = await datasets.read(stateOf(params, query), {
        permission: request.permission,
        // What passes an exploration may be found when its dataset is gone.
        readsTheStore: (dataset) => !isExplored && !finalReplies.has(keyOf(dataset)),
        read: (dataset) => {
          const page = async () => {
            const items = await datasets.explorations.find(dataset, query, visibility)
            if (items === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
            return items.page(query, {
              partial: query.partial,
              signal: () => disconnectSignal(reply),
            })
          }
          return isForAll ? finalReplies.find(keyOf(dataset), page) : page()
        },
        provesExistence: ({ value }) => value instanceof JsonText || value.length > 0,
      })
      if (answer === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return sendProgress(reply, answer)
    },
    datasetItemGet: async ({ params, query, request, reply }) => {
      const keyOf = ({ id, revision }: ReadableDataset) =>
        `${id} ${revision} ${request.originalUrl}`
      const answer = await datasets.read(stateOf(params, query), {
        permission: request.permission,
        readsTheStore: (dataset) => !finalReplies.has(keyOf(dataset)),
        read: (dataset) =>
          finalReplies.find(keyOf(dataset), () =>
            dataset.items.get(params.itemId, { signal: () => disconnectSignal(reply) }),
          ),
        provesExistence: ({ value }) => value !== undefined,
      })
      if (answer === undefined) throw fail('DATASET_NOT_FOUND')
      if (answer.value === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return answer.value
    },
    datasetItemNeighbours: async ({ params, query, visibility, reply }) => {
      const dataset = await datasets.find(params.datasetId, query.at)
      const items = dataset && (await datasets.explorations.find(dataset, query, visibility))
      if (items === undefined) throw fail('DATASET_NOT_FOUND')
      const options = { signal: () => disconnectSignal(reply) }
      const neighbours = await items.neighbours(params.itemId, options)
      if (neighbours === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return neighbours
    },
    datasetCount: async ({ params, query, visibility, reply }) => {
      const dataset = await datasets.find(params.datasetId, query.at)
      const items = dataset && (await datasets.explorations.find(dataset, query, visibility))
      if (items === undefined) throw fail('DATASET_NOT_FOUND')
      const options = { partial: query.partial, signal: () => disconnectSignal(reply) }
      return sendProgress(reply, await items.count(options))
    },
    datasetSummary: async ({ params, query, visibility, reply }) => {
      const { partial, at: _, ...exploration } = query
      const options = { partial, visibility, signal: () => disconnectSignal(reply) }
      const summary = await datasets.summarize(stateOf(params, query), exploration, options)
      if (summary === undefined) throw fail('DATASET_NOT_FOUND')
      return sendProgress(reply, summary)
    },
    datasetGrowth: async ({ params, query, reply }) => {
      const dataset = await datasets.find(params.datasetId, query.at)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const options = { partial: query.partial, signal: () => disconnectSignal(reply) }
      return sendProgress(reply, await dataset.items.growth(options))
    },
  }
}

/** The dataset of a request, as of now or as it was. */
function stateOf({ datasetId: name }: { datasetId: string }, { at }: AtState): DatasetState {
  return { name, ...(at !== undefined && { at }) }
}

/** Returns the value to send; where it is a part, a header says how far the view has looked. */
function sendProgress<T>(reply: FastifyReply, { value, progress }: ReadResult<T>): T {
  if (progress !== undefined) reply.header(progressHeader, `${progress.scanned}/${progress.total}`)
  return value
}
