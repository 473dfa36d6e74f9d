import { IconAlertTriangle, IconCircle, IconCircleCheck, IconCircleDot } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AddItemStep } from '@vitrine/client'
import classes from './InsertPanel.module.css'
import { insertSteps, stepState, type StepState } from './insert-progress.ts'

const titles: Record<AddItemStep, string> = {
  initialize: 'Initialize',
  upload: 'Upload',
  commit: 'Commit',
}

const icons: Record<StepState, typeof IconCircle> = {
  waiting: IconCircle,
  running: IconCircleDot,
  done: IconCircleCheck,
  failed: IconAlertTriangle,
}

type Props = {
  current: AddItemStep
  failed: boolean
  /** Stands below the step Upload. */
  children: ReactNode
}

/** The three steps of adding an item, each with its state. */
export function StepList({ current, failed, children }: Props) {
  return (
    <ol className={classes.steps}>
      {insertSteps.map((step) => {
        const state = stepState(step, { current, failed })
        const Icon = icons[state]
        return (
          <li key={step} className={classes.step} data-state={state}>
            <Icon size={18} aria-hidden className={classes.icon} />
            <span className={classes.title}>
              {titles[step]} <span className={classes.state}>{state}</span>
            </span>
            {step === 'upload' && state !== 'waiting' && children}
          </li>
        )
      })}
    </ol>
  )
}
