import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { LeaveDialog } from '../../layout/LeaveDialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { bytesPerSecond, secondsLeft } from '../../data/transfer-rate.ts'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { showBytes, showSeconds } from '../../ui/show-amounts.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { ConfirmDifference } from './ImportDifference.tsx'
import { ImportEnd } from './ImportEnd.tsx'
import { correctedText } from './corrections.ts'
import { fileNameOf } from './file-key.ts'
import type { Correcting } from './RefusedTable.tsx'
import { measureOf, type ImportRun } from './import-run.ts'
import classes from './ImportScreen.module.css'
import { useUnsavedChanges } from '../../auth/use-unsaved-changes.ts'
import { importsChanged, itemsChanged } from '../../data/changes.ts'

const doing = {
  receiving: 'Sent',
  checking: 'Checked',
  publishing: 'Written',
} as const

type Props = {
  run: ImportRun
  onAnother: () => void
  /** Imports the same file again, without the rows that are refused; absent where that cannot be done. */
  onImportGoodRows: (() => void) | undefined
  /** Corrections of the file, where its rows can be corrected. */
  correcting: Correcting | undefined
  /** Imports it again with the corrections, or the corrected rows alone where the others are there already. */
  onImportCorrected: (isAlone: boolean) => void
  onDone: () => void
}

/** How far an import is, what can be done with it, and how it ended. */
export function ImportProgress({
  run,
  onAnother,
  onImportGoodRows,
  correcting,
  onImportCorrected,
  onDone,
}: Props) {
  useImportRun(run, onDone)
  const { plan, state, status } = run
  const cancelling = useMutation({ mutationFn: () => run.cancel() })
  const [asks, setAsks] = useState(false)
  const isSending = state === undefined || state.state === 'receiving'
  if (state !== undefined && status.is === 'ended') {
    const { rows, refusedRows } = state
    const hasGoodRows = state.state === 'failed' && refusedRows > 0 && refusedRows < rows
    const canSkip = plan.mode === 'all' && plan.matching === undefined
    const offersGoodRows = hasGoodRows && canSkip && onImportGoodRows !== undefined
    const correctedRows = Object.keys(correcting?.corrections ?? {}).length
    const isAlone = state.state === 'done'
    return (
      <Panel label="The import">
        <p className={classes.name}>{fileNameOf(plan.key)}</p>
        <ImportEnd
          repo={plan.repo}
          state={state}
          offersGoodRows={offersGoodRows}
          correcting={correcting}
        />
        <ButtonRow>
          {correctedRows > 0 && (
            <Button
              // Rows that are not corrected would be refused again.
              variant={isAlone || correctedRows >= refusedRows ? 'filled' : 'default'}
              onClick={() => onImportCorrected(isAlone)}
            >
              {correctedText(correctedRows, isAlone)}
            </Button>
          )}
          {offersGoodRows && (
            <Button
              variant={correctedRows >= refusedRows ? 'default' : 'filled'}
              onClick={onImportGoodRows}
            >
              Import the rows that are good
            </Button>
          )}
          <Button variant="default" onClick={onAnother}>
            Import another file
          </Button>
        </ButtonRow>
      </Panel>
    )
  }
  if (state !== undefined && status.is === 'checked') {
    return (
      <Panel label="The import">
        <p className={classes.name}>{fileNameOf(plan.key)}</p>
        <ConfirmDifference
          repo={plan.repo}
          state={state}
          error={cancelling.error}
          isBusy={cancelling.isPending}
          onConfirm={() => run.confirm()}
          onCancel={cancelling.mutate}
        />
      </Panel>
    )
  }
  return (
    <Panel label="The import">
      <p className={classes.name}>{fileNameOf(plan.key)}</p>
      <Measures run={run} />
      <output className={classes.said}>{stateText(run)}</output>
      {status.is === 'stalled' && (
        <ErrorBox
          error={{ message: status.reason }}
          hint="What was sent is kept, and the import goes on by itself as soon as the server answers."
          onRetry={() => run.start()}
          retryLabel="Try now"
        />
      )}
      {status.is === 'stopped' && (
        <ErrorBox
          error={status.error}
          hint="What was sent is kept for a day."
          onRetry={() => run.start()}
        />
      )}
      {cancelling.error !== null && <ErrorBox error={cancelling.error} />}
      <ButtonRow>
        {isSending &&
          (status.is === 'running' || status.is === 'stalled' ? (
            <Button variant="default" onClick={() => run.pause()}>
              Pause
            </Button>
          ) : (
            <Button onClick={() => run.start()}>Resume</Button>
          ))}
        <Button
          variant="default"
          loading={cancelling.isPending}
          disabled={state === undefined}
          onClick={() => setAsks(true)}
        >
          Cancel
        </Button>
      </ButtonRow>
      {asks && (
        <CancelDialog
          importKey={plan.key}
          onClose={() => setAsks(false)}
          onCancel={cancelling.mutate}
        />
      )}
      <LeaveDialog uploading={() => isSending && run.status.is !== 'ended'}>
        Leaving this page pauses it. What was sent is kept for a day: to go on, come back and choose
        the same file.
      </LeaveDialog>
    </Panel>
  )
}

function Measures({ run: { plan, state, rate, status } }: { run: ImportRun }) {
  const doneState = state?.state ?? 'receiving'
  if (!(doneState in doing)) return null
  const phase = doneState as keyof typeof doing
  const { unit, done, total } =
    state === undefined
      ? { unit: 'bytes' as const, done: 0, total: plan.file.size }
      : measureOf(state, plan.file.size)
  const show = (amount: number) =>
    unit === 'bytes' ? showBytes(amount) : `${Math.round(amount).toLocaleString()} rows`
  const speed = status.is === 'running' ? bytesPerSecond(rate) : undefined
  const left = status.is === 'running' ? secondsLeft(rate, total) : undefined
  return (
    <ProgressBar label={doing[phase]} done={done} total={total}>
      {show(done)} of {show(total)}
      {speed !== undefined && `, ${show(speed)}/s`}
      {left !== undefined && `, ${showSeconds(left)} left`}
      {phase === 'checking' && state !== undefined && (
        <>
          , {state.rows.toLocaleString()} rows
          {state.refusedRows > 0 && `, ${state.refusedRows.toLocaleString()} refused`}
        </>
      )}
    </ProgressBar>
  )
}

/** Text for screen readers: the step, and every tenth of it. */
function stateText({ plan, state }: ImportRun): string {
  if (state === undefined) return 'Beginning'
  const { done, total } = measureOf(state, plan.file.size)
  const tenth = total === 0 ? 0 : Math.floor((done / total) * 10)
  return `${state.state}, ${tenth * 10} percent`
}

/** Follows a run on the screen; it pauses when the screen is left. */
function useImportRun(run: ImportRun, onDone: () => void): void {
  const queryClient = useQueryClient()
  useSyncExternalStore(run.subscribe, () => run.version)
  useEffect(() => {
    // A mount after an unmount: React's strict mode, or the way back to this screen.
    if (run.status.is === 'paused') run.start()
    return () => run.pause()
  }, [run])
  // What was checked waits in the list of imports.
  const isSafe = ['checked', 'publishing'].includes(run.state?.state ?? '')
  useUnsavedChanges(run.status.is !== 'ended' && !isSafe)

  const state = run.state?.state
  const end = useEffectEvent(onDone)
  useEffect(() => {
    void importsChanged(queryClient)
    if (state !== 'done') return
    void itemsChanged(queryClient)
    end()
  }, [state, queryClient])
}
