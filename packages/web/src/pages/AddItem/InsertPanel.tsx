import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Panel } from '../../ui/Panel.tsx'
import { showBytes, showSeconds } from '../../ui/show-amounts.ts'
import type { InsertProgress } from './insert-progress.ts'
import classes from './InsertPanel.module.css'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { StepList } from './StepList.tsx'
import { bytesPerSecond, secondsLeft } from '../../data/transfer-rate.ts'

type Props = {
  progress: InsertProgress
  failed: boolean
  onCancel: () => void
}

/** How far an insert has come: its steps, bytes, rate and hashing. */
export function InsertPanel({ progress, failed, onCancel }: Props) {
  const cancel = useRef<HTMLButtonElement>(null)
  // The button that was pressed is gone: without this the focus would be at the top of the page.
  useEffect(() => cancel.current?.focus(), [])
  const { step, hashedBytes, sentBytes, totalBytes } = progress
  return (
    <Panel label="Progress">
      <StepList current={step} failed={failed}>
        <div className={classes.bars}>
          <ProgressBar label="Sent" done={sentBytes} total={totalBytes}>
            {showBytes(sentBytes)} of {showBytes(totalBytes)}
            {step === 'upload' && !failed && <Pace progress={progress} />}
          </ProgressBar>
          <ProgressBar label="Hashed" done={hashedBytes} total={totalBytes}>
            {showBytes(hashedBytes)} of {showBytes(totalBytes)}
          </ProgressBar>
        </div>
      </StepList>
      <output className={classes.said}>{failed ? '' : stateText(progress)}</output>
      {!failed && (
        <div>
          <Button ref={cancel} variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Pace({ progress: { rate, totalBytes } }: { progress: InsertProgress }) {
  const speed = bytesPerSecond(rate)
  const left = secondsLeft(rate, totalBytes)
  return (
    <>
      {speed !== undefined && `, ${showBytes(speed)}/s`}
      {left !== undefined && `, ${showSeconds(left)} left`}
    </>
  )
}

/** Text for screen readers: the step, and every tenth of the upload. */
function stateText({ step, sentBytes, totalBytes }: InsertProgress): string {
  if (step === 'initialize') return 'Initializing'
  if (step === 'commit') return 'Committing'
  const tenth = totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 10)
  return `Uploading, ${tenth * 10} percent sent`
}
