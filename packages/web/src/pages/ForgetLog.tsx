import { Button } from '@mantine/core'
import { useState } from 'react'
import { createKnownLogs } from '../data/known-logs.ts'
import classes from './ProofChecks.module.css'

type Props = {
  /** Undefined for the audit log. */
  repo: string | undefined
  /** Checks again, once the state is forgotten. */
  onForgotten: () => void
}

/** Has the browser forget the state of a log that it verified before, after asking once more. */
export function ForgetLog({ repo, onForgotten }: Props) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <p className={classes.intro}>
      {repo === undefined
        ? 'If the log was begun anew, as after a restore from a backup,'
        : 'If the repository was made anew under its name, or restored from a backup,'}{' '}
      let this browser begin with the log as it is.{' '}
      {isAsking ? (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            createKnownLogs(localStorage).forget(repo)
            onForgotten()
          }}
        >
          Forget it, and verify again
        </Button>
      ) : (
        <Button variant="default" size="compact-sm" onClick={() => setIsAsking(true)}>
          Forget what was verified before…
        </Button>
      )}
    </p>
  )
}
