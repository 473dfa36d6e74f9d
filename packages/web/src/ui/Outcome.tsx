import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorBox } from './ErrorBox.tsx'
import classes from './Outcome.module.css'

type Props = {
  status: 'idle' | 'pending' | 'success' | 'error'
  error: (Error & { problems?: readonly string[] }) | null
  /** What is under way, such as 'Deleting photos'. */
  busy: string
  /** What to do about an error. */
  hint?: ReactNode
  /** What to do next after success. */
  children?: ReactNode
}

/** The outcome of a request: busy, 'Request successful' or the error (specification §2, §4). */
export function Outcome({ status, error, busy, hint, children }: Props) {
  return (
    <div className={classes.outcome}>
      <div role="status">
        {status === 'pending' && <p className={classes.busy}>{busy}…</p>}
        {status === 'success' && (
          <div className={classes.success}>
            <IconCircleCheck size={18} aria-hidden />
            <p>Request successful</p>
            {children}
          </div>
        )}
      </div>
      {status === 'error' && error !== null && <ErrorBox error={error} hint={hint} />}
    </div>
  )
}
