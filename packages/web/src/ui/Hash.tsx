import { CopyButton } from './CopyButton.tsx'
import classes from './Hash.module.css'

/** A sha256 digest, shortened, with copy. */
export function Hash({ sha256 }: { sha256: string }) {
  return (
    <span className={classes.hash}>
      <code title={sha256}>{sha256.slice(0, 12)}…</code>
      <CopyButton text={sha256} label="Copy sha256" />
    </span>
  )
}
