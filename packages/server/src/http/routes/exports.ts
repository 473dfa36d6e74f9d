import { Readable } from 'node:stream'
import { exportedHeader, stateHeader } from '@vitrine/contract'
import { exportDataset } from '../../exports/export-dataset.ts'
import type { ExportContext } from '../../exports/export-context.ts'
import type { Handlers } from '../route.ts'
import { whenGone } from '../when-gone.ts'

export function exportHandlers(context: ExportContext): Pick<Handlers, 'datasetExport'> {
  return {
    datasetExport: async ({ params: { datasetId }, query, request, reply }) => {
      const { range, at, mediaType, fileName, bytes } = await exportDataset(context, datasetId, {
        ...query,
        signal: () => whenGone(reply),
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
