import { canonicalText, type Seal } from '@vitrine/contract'
import type { Blobs } from '../../blobs/blobs.ts'
import { reportDamage, type DamageReport } from '../../blobs/read-blob.ts'
import { findValue } from '../find-value.ts'
import type { Handlers } from '../route.ts'
import { sendValue, type SentValue } from '../send-value.ts'
import { whenGone } from '../when-gone.ts'
import type { Store } from '../../store/store.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'

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
        whenGone(reply),
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
