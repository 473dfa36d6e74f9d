import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ErrorBox.module.css'

type Shown = { message: string; problems?: readonly string[] }

type Props = {
  /** The error; its `problems` are shown one to a line. */
  error: Shown
  /** Advice on the error. */
  hint?: ReactNode
  onRetry?: (() => void) | undefined
  retryLabel?: string
}

export function ErrorBox({ error, hint, onRetry, retryLabel = 'Retry' }: Props) {
  const problems = error.problems ?? []
  return (
    <div role="alert" className={classes.box}>
      <IconAlertTriangle size={18} aria-hidden className={classes.icon} />
      <div className={classes.body}>
        <p className={classes.message}>{error.message}</p>
        {problems.length > 0 && (
          <ul className={classes.problems}>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      </div>
      {onRetry !== undefined && (
        <Button variant="default" size="compact-md" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  )
}
