import { ProgressBar } from '../ui/ProgressBar.tsx'
import { bytesPerSecond } from '../data/transfer-rate.ts'
import { showBytes } from '../ui/show-amounts.ts'
import type { ExportProgress as Progress } from './use-export.ts'

/** How far a download is: by rows where they are counted, else by bytes, whose end is not known. */
export function ExportProgress({ progress }: { progress: Progress }) {
  const { bytes, rows, totalRows, rate } = progress
  const speed = bytesPerSecond(rate)
  return (
    <ProgressBar label="Saved" done={rows} total={totalRows}>
      {rows > 0 && `${rows.toLocaleString()} of ${totalRows.toLocaleString()} items, `}
      {showBytes(bytes)}
      {speed !== undefined && `, ${showBytes(speed)}/s`}
    </ProgressBar>
  )
}
