import { Button } from '@mantine/core'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import classes from './VerifyResult.module.css'

type Props = {
  status: 'idle' | 'pending' | 'success' | 'error'
  matches: boolean
  /** The digest that was computed here. */
  found: string | undefined
  error: Error | null
  onVerify: () => void
}

/** The Verify button and its result. */
export function VerifyResult({ status, matches, found, error, onVerify }: Props) {
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={onVerify} disabled={status === 'pending'}>
        Verify
      </Button>
      <output className={classes.result}>
        {status === 'pending' && 'hashing…'}
        {status === 'success' && matches && (
          <span className={classes.good}>
            <IconShieldCheck size={16} aria-hidden /> matches
          </span>
        )}
        {status === 'success' && !matches && (
          <span className={classes.bad}>
            <IconShieldX size={16} aria-hidden /> does not match: received <code>{found}</code>
          </span>
        )}
        {status === 'error' && <span className={classes.bad}>{error?.message}</span>}
      </output>
    </>
  )
}
