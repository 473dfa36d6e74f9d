import { useMutation } from '@tanstack/react-query'
import { exportDataset, requestAborted } from '@vitrine/client'
import type { ExportFormat, Exploration } from '@vitrine/contract'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.tsx'
import { namedState } from '../data/named-state.ts'
import { observe, type TransferRate } from '../data/transfer-rate.ts'
import { exportFileName, exportKinds } from './export-kinds.ts'
import { openFileSink } from './file-sink.ts'

export type ExportProgress = {
  bytes: number
  rows: number
  totalRows: number
  rate: TransferRate
}

const atStart: ExportProgress = { bytes: 0, rows: 0, totalRows: 0, rate: [] }
/** How often the screen follows, in milliseconds. */
const followMs = 200

type ExportOptions = {
  format: ExportFormat
  guard: boolean
  integrity: boolean
  exploration: Exploration
}

/** Saves an export of a dataset, or of what is asked of it, as a file. Undefined where the user chose no file. */
export function useExport(datasetId: string) {
  const { client } = useApp()
  const [progress, setProgress] = useState(atStart)
  const cancellation = useRef(new AbortController())
  useEffect(() => () => cancellation.current.abort(), [])

  const saving = useMutation({
    mutationFn: async ({
      format,
      guard,
      integrity,
      exploration,
    }: ExportOptions): Promise<ExportProgress | undefined> => {
      const controller = new AbortController()
      cancellation.current = controller
      const { datasetId: name, ...state } = namedState(datasetId)
      const { guards, digests } = exportKinds[format]
      setProgress(atStart)
      const sink = await openFileSink(exportFileName(datasetId, exploration, format))
      if (sink === undefined) return undefined
      let latest = atStart
      let shownAt = 0
      try {
        const pieces = exportDataset(client, name, {
          ...exploration,
          ...state,
          format,
          ...(guards && { guard }),
          ...(digests && { integrity }),
          signal: controller.signal,
          onProgress: ({ bytes, rows, totalRows }) => {
            const at = performance.now()
            latest = { bytes, rows, totalRows, rate: latest.rate }
            if (at - shownAt < followMs) return
            shownAt = at
            latest = { ...latest, rate: observe(latest.rate, at, bytes) }
            setProgress(latest)
          },
        })
        for await (const piece of pieces) {
          await sink.write(piece)
          if (controller.signal.aborted) throw requestAborted(controller.signal.reason)
        }
        await sink.close()
        return latest
      } catch (error) {
        await sink.discard().catch(() => {})
        throw error
      }
    },
  })
  return { ...saving, progress, cancel: () => cancellation.current.abort() }
}
