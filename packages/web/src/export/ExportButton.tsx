import type { Exploration } from '@vitrine/contract'
import { Suspense, useState } from 'react'
import { useCommands } from '../palette/screen-commands.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const ExportDialog = lazyPart(async () => (await import('./ExportDialog.tsx')).ExportDialog)

type Props = {
  datasetId: string
  /** Exploration on the screen. */
  exploration?: Exploration
  className: string | undefined
}

const nothing: Exploration = {}

/** Opens the export of a dataset. */
export function ExportButton({ datasetId, exploration = nothing, className }: Props) {
  const [isOpen, setOpen] = useState(false)
  useCommands([{ label: 'Export', run: () => setOpen(true) }])
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        Export
      </button>
      {isOpen && (
        <Suspense>
          <ExportDialog
            datasetId={datasetId}
            exploration={exploration}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
