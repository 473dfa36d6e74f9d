import { Button } from '@mantine/core'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { bytesPerSecond, secondsLeft } from '../../data/transfer-rate.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { showBytes, showSeconds } from '../../ui/show-amounts.ts'
import type { FileQueue } from './file-queue.ts'
import classes from './AddFiles.module.css'

type Props = { queue: FileQueue; onStart: () => void }

/** How far a queue is, and what can be done with it. */
export function QueueProgress({ queue, onStart }: Props) {
  const { status, counts, files, totalBytes, doneBytes, rate } = queue
  const speed = status.is === 'running' ? bytesPerSecond(rate) : undefined
  const left = status.is === 'running' ? secondsLeft(rate, totalBytes) : undefined
  const begun = counts.done + counts.refused > 0
  return (
    <Panel label="Progress">
      <ProgressBar label="Added" done={counts.done} total={files.length}>
        {counts.done.toLocaleString()} of {files.length.toLocaleString()} files
        {counts.refused > 0 && `, ${counts.refused.toLocaleString()} refused`}
      </ProgressBar>
      <ProgressBar label="Sent" done={doneBytes} total={totalBytes}>
        {showBytes(doneBytes)} of {showBytes(totalBytes)}
        {speed !== undefined && `, ${showBytes(speed)}/s`}
        {left !== undefined && `, ${showSeconds(left)} left`}
      </ProgressBar>
      <output className={classes.said}>{progressText(queue)}</output>
      {status.is === 'stalled' && (
        <ErrorBox
          error={{ message: status.reason }}
          hint="The files that were added are kept, and the rest goes on by itself as soon as the server answers."
          onRetry={onStart}
          retryLabel="Try now"
        />
      )}
      {status.is === 'stopped' && (
        <ErrorBox
          error={status.error}
          hint="The files that were added are kept. The others wait until you resume."
        />
      )}
      <ButtonRow>
        {status.is === 'running' || status.is === 'stalled' ? (
          <Button variant="default" onClick={() => queue.pause()}>
            Pause
          </Button>
        ) : (
          queue.unsettled && (
            <Button onClick={onStart}>
              {begun ? 'Resume' : `Add ${counts.waiting.toLocaleString()} files`}
            </Button>
          )
        )}
        {counts.refused > 0 && (
          <Button variant="default" onClick={() => queue.retry()}>
            Retry refused files
          </Button>
        )}
      </ButtonRow>
    </Panel>
  )
}

/** Text for screen readers: every tenth of the way, and the end. */
function progressText({ status, counts, files }: FileQueue): string {
  const settled = counts.done + counts.refused
  if (settled === 0) return ''
  const refused = counts.refused === 0 ? '' : `, ${counts.refused} refused`
  if (settled === files.length) return `${counts.done} files added${refused}`
  if (status.is !== 'running') return status.is
  return `${Math.floor((settled / files.length) * 10) * 10} percent of the files added`
}
