import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app-context.tsx'
import { DropZone } from '../../files/DropZone.tsx'
import type { FileWithPath } from '../../files/file-with-path.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import { describeData, type DescribedData } from './described-data.ts'
import classes from './FromData.module.css'

/** Describes a repository by the data that it is for. */
export function FromData({ onDescribed }: { onDescribed: (described: DescribedData) => void }) {
  const { features } = useApp()
  const [progress, setProgress] = useState({ rows: 0, bytes: 0, total: 0 })
  const cancellation = useRef(new AbortController())
  useEffect(() => () => cancellation.current.abort(), [])
  const describing = useMutation({
    mutationFn: (files: readonly FileWithPath[]) => {
      const controller = new AbortController()
      cancellation.current = controller
      const total = files.reduce((sum, { file }) => sum + file.size, 0)
      setProgress({ rows: 0, bytes: 0, total })
      return describeData(files, {
        isTyped: features.includes('types'),
        signal: controller.signal,
        onProgress: (done) => setProgress({ ...done, total }),
      })
    },
    onSuccess: onDescribed,
  })
  return (
    <div className={classes.fromData}>
      <DropZone
        what="data"
        hint="A file of rows (CSV, TSV, Excel, NDJSON, Parquet) or a folder of images, to begin the description from. It stays on this computer until you create the repository."
        multiple
        folders
        onFiles={(files) => describing.mutate(files)}
      />
      {describing.isPending && (
        <>
          <ProgressBar label="Read" done={progress.bytes} total={progress.total}>
            {showBytes(progress.bytes)} of {showBytes(progress.total)},{' '}
            {progress.rows.toLocaleString()} rows
          </ProgressBar>
          <div>
            <Button variant="default" onClick={() => cancellation.current.abort()}>
              Cancel
            </Button>
          </div>
        </>
      )}
      {describing.error !== null && <ErrorBox error={describing.error} />}
    </div>
  )
}
