import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useCommands } from '../palette/screen-commands.ts'

const ExportDialog = lazy(async () => {
  const { ExportDialog } = await import('./ExportDialog.tsx')
  return { default: ExportDialog }
})

/** Opens the export of a dataset. */
export function ExportButton({ datasetId }: { datasetId: string }) {
  const [isOpen, setOpen] = useState(false)
  useCommands([{ label: 'Export', run: () => setOpen(true) }])
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Export
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog datasetId={datasetId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
