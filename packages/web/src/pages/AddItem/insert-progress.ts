import type { AddItemProgress, AddItemStep } from '@vitrine/client'
import { observe, type TransferRate } from '../../data/transfer-rate.ts'

export const insertSteps = ['initialize', 'upload', 'commit'] as const satisfies AddItemStep[]

/** How far an insert has come. */
export type InsertProgress = {
  step: AddItemStep
  hashedBytes: number
  sentBytes: number
  totalBytes: number
  rate: TransferRate
}

export const atStart: InsertProgress = {
  step: 'initialize',
  hashedBytes: 0,
  sentBytes: 0,
  totalBytes: 0,
  rate: [],
}

/** Progress after an event at time `at` (milliseconds). */
export function advance(
  progress: InsertProgress,
  event: AddItemProgress,
  at: number,
): InsertProgress {
  if (event.step === 'upload') {
    const { hashedBytes, sentBytes, totalBytes } = event
    const moved = progress.step !== 'upload' || sentBytes !== progress.sentBytes
    const rate = moved ? observe(progress.rate, at, sentBytes) : progress.rate
    return { step: 'upload', hashedBytes, sentBytes, totalBytes, rate }
  }
  return event.step === 'commit'
    ? { ...progress, step: 'commit', sentBytes: progress.totalBytes }
    : atStart
}

export type StepState = 'waiting' | 'running' | 'done' | 'failed'

/** The state of one step while another is at work, or has failed. */
export function stepState(
  step: AddItemStep,
  { current, failed }: { current: AddItemStep; failed: boolean },
): StepState {
  const difference = insertSteps.indexOf(step) - insertSteps.indexOf(current)
  if (difference < 0) return 'done'
  if (difference > 0) return 'waiting'
  return failed ? 'failed' : 'running'
}
