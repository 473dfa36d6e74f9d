import { Readable } from 'node:stream'
import {
  type ItemValue,
  type Seal,
  canonicalText,
  exportedHeader,
  pictureType,
  stateHeader,
} from '@vitrine/contract'
import type { Blobs } from '../../blobs/blobs.ts'
import { type DamageReport, reportDamage } from '../../blobs/read-blob.ts'
import { type Handlers, disconnectSignal } from '../route.ts'
import { type SentValue, sendValue } from '../send-value.ts'
import type { Store } from '../../store/store.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import type { ReadableDataset } from '../../reading/compiled-datasets.ts'
import { identityKey } from '../../access/identity.ts'
import { fail } from '../../failure.ts'
import type { SmallPictures } from '../../pictures/small-pictures.ts'
import { isKept, keptAs } from '../kept-replies.ts'
import { valuePolicy } from '../security-headers.ts'
import { exportDataset } from '../../exports/export-dataset.ts'
import type { ExportContext } from '../../exports/export-context.ts'

type ValueContext = { store: Store; blobs: Blobs; datasets: DatasetReader }

export function valueHandlers({
  store,
  blobs,
  datasets,
}: ValueContext): Pick<Handlers, 'datasetFieldGet'> {
  return {
    datasetFieldGet: async ({ params, query, request, reply }) => {
      const { datasetId, itemId, fieldName } = params
      const { field, value, seal } = await findValue(datasets, { ...params, ...query }, () =>
        disconnectSignal(reply),
      )
      const fileName = `${datasetId}-${itemId}-${fieldName}`
      return sendValue(
        request,
        reply,
        seal.mime === undefined
          ? textValue(canonicalText(field, value), seal, fileName)
          : binaryValue(
              {
                store,
                blobs,
                logger: request.log.child({ dataset: datasetId, item: itemId, field: fieldName }),
              },
              { ...seal, mime: seal.mime },
              fileName,
            ),
      )
    },
  }
}

function textValue(text: string, { sha256, size }: Seal, fileName: string): SentValue {
  const open: SentValue['open'] = async (range) => {
    const bytes = Buffer.from(text)
    return range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  }
  return { sha256, size, mime: 'text/plain', charset: 'utf-8', fileName, open }
}

function binaryValue(
  reading: DamageReport,
  { sha256, size, mime }: Seal & { mime: string },
  fileName: string,
): SentValue {
  const open: SentValue['open'] = async (range) => {
    try {
      const bytes = await reading.blobs.open({ sha256, size }, range)
      return bytes.once('error', (error) => void reportDamage(reading, error))
    } catch (error) {
      await reportDamage(reading, error)
      throw error
    }
  }
  return { sha256, size, mime, fileName, open }
}

type PictureContext = {
  store: Store
  blobs: Blobs
  datasets: DatasetReader
  pictures: Promise<SmallPictures | undefined>
}

export function pictureHandlers({
  store,
  blobs,
  datasets,
  pictures,
}: PictureContext): Pick<Handlers, 'datasetPictureGet'> {
  return {
    datasetPictureGet: async ({ params, query: { width, ...state }, identity, request, reply }) => {
      const small = await pictures
      if (small === undefined) throw fail('ROUTE_NOT_FOUND')
      const signal = disconnectSignal(reply)
      const { seal } = await findValue(datasets, { ...params, ...state }, () => signal)
      const { sha256, size, mime = '' } = seal
      const etag = `"${sha256}-${width}"`
      if (isKept(request, etag)) return reply.code(304).headers(keptAs(etag)).send()
      try {
        const options = { width, owner: identityKey(identity), signal }
        const picture = await small.find({ sha256, size, mime }, options)
        return await reply
          .headers({
            ...keptAs(etag),
            'content-type': pictureType,
            'content-disposition': 'inline',
            'content-security-policy': valuePolicy,
          })
          .send(picture)
      } catch (error) {
        const { datasetId: dataset, itemId: item, fieldName: field } = params
        await reportDamage(
          { store, blobs, logger: request.log.child({ dataset, item, field }) },
          error,
        )
        throw error
      }
    },
  }
}

export function exportHandlers(context: ExportContext): Pick<Handlers, 'datasetExport'> {
  return {
    datasetExport: async ({ params: { datasetId }, query, visibility, request, reply }) => {
      const { range, at, mediaType, fileName, bytes } = await exportDataset(context, datasetId, {
        ...query,
        visibility,
        signal: () => disconnectSignal(reply),
      })
      reply.headers({
        'content-type': mediaType,
        'content-disposition': `attachment; filename="${fileName}"`,
        [exportedHeader]: `${range.from}-${range.to}/${range.total}`,
        [stateHeader]: String(at),
      })
      if (request.method === 'HEAD') return reply.send()
      return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: 0 }))
    },
  }
}

/** One value of an item, as an address names it. */
export type ValuePlace = { datasetId: string; at?: number; itemId: number; fieldName: string }

type FoundValue = { field: ReadableDataset['schema'][number]; value: ItemValue; seal: Seal }

/**
 * Finds a value with its seal.
 * @throws Failure DATASET_NOT_FOUND, STATE_NOT_FOUND, FIELD_NOT_IN_SCHEMA, DATASET_OR_ITEM_NOT_FOUND
 */
async function findValue(
  datasets: DatasetReader,
  { datasetId, at, itemId, fieldName }: ValuePlace,
  signal: () => AbortSignal,
): Promise<FoundValue> {
  const dataset = await datasets.find(datasetId, at)
  if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
  const field = dataset.schema.find(({ name }) => name === fieldName)
  if (field === undefined) throw fail('FIELD_NOT_IN_SCHEMA')
  const item = await dataset.items.getField(fieldName, itemId, { signal })
  const value = item?.data[fieldName]
  const seal = item?.integrity?.[fieldName]
  // An item without an optional value has no such resource, like an item that is not there.
  if (value === undefined || seal === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
  return { field, value, seal }
}
