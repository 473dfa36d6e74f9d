import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorBox } from './ErrorBox.tsx'
import classes from './Outcome.module.css'

type Props = {
  status: 'idle' | 'pending' | 'success' | 'error'
  error: (Error & { problems?: readonly string[] }) | null
  /** Names the request under way, such as 'Deleting photos'. */
  busy: string
  /** Advice on an error. */
  hint?: ReactNode
  /** Next steps after success. */
  children?: ReactNode
}

/** The outcome of a request: busy, 'Request successful' or the error. */
export function Outcome({ status, error, busy, hint, children }: Props) {
  return (
    <div className={classes.outcome}>
      <output className={classes.status}>
        {status === 'pending' && <span className={classes.busy}>{busy}…</span>}
        {status === 'success' && (
          <span className={classes.success}>
            <IconCircleCheck size={18} aria-hidden />
            <span>Request successful</span>
            {children}
          </span>
        )}
      </output>
      {status === 'error' && error !== null && <ErrorBox error={error} hint={hint} />}
    </div>
  )
}
