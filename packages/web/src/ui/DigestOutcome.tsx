import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import classes from './DigestOutcome.module.css'

/** The digest of the bytes that were received, or why there is none. */
export type ReceivedDigest = { digest: string } | { error: string }

/** Says whether a value has the digest that it was added with. */
export function DigestOutcome({ digest, received }: { digest: string; received: ReceivedDigest }) {
  if ('error' in received) return <span className={classes.bad}>{received.error}</span>
  if (received.digest === digest) {
    return (
      <span className={classes.good}>
        <IconShieldCheck size={16} aria-hidden /> matches
      </span>
    )
  }
  return (
    <span className={classes.bad}>
      <IconShieldX size={16} aria-hidden /> does not match: received <code>{received.digest}</code>
    </span>
  )
}
