import { pictureType } from '@vitrine/contract'
import { identityKey } from '../../access/identity.ts'
import type { Blobs } from '../../blobs/blobs.ts'
import { reportDamage } from '../../blobs/read-blob.ts'
import { fail } from '../../failure.ts'
import type { SmallPictures } from '../../pictures/small-pictures.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import type { Store } from '../../store/store.ts'
import { findValue } from '../find-value.ts'
import { isKept, keptAs } from '../kept-replies.ts'
import type { Handlers } from '../route.ts'
import { valuePolicy } from '../security-headers.ts'
import { whenGone } from '../when-gone.ts'

type PictureContext = {
  store: Store
  blobs: Blobs
  datasets: DatasetReader
  pictures: SmallPictures | undefined
}

export function pictureHandlers({
  store,
  blobs,
  datasets,
  pictures,
}: PictureContext): Pick<Handlers, 'datasetPictureGet'> {
  return {
    datasetPictureGet: async ({ params, query: { width, ...state }, identity, request, reply }) => {
      if (pictures === undefined) throw fail('ROUTE_NOT_FOUND')
      const signal = whenGone(reply)
      const { seal } = await findValue(datasets, { ...params, ...state }, () => signal)
      const { sha256, size, mime = '' } = seal
      const etag = `"${sha256}-${width}"`
      if (isKept(request, etag)) return reply.code(304).headers(keptAs(etag)).send()
      try {
        const options = { width, owner: identityKey(identity), signal }
        const picture = await pictures.find({ sha256, size, mime }, options)
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
