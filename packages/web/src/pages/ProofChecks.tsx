import { IconPointFilled, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import type { ConflictingCheckpoints, LogCheck } from '@vitrine/client'
import { CopyButton } from '../ui/CopyButton.tsx'
import classes from './ProofChecks.module.css'

/** Titles of checks. */
const names: Record<LogCheck['name'], string> = {
  bytes: 'Bytes',
  entry: 'Entry',
  inclusion: 'Inclusion',
  signature: 'Signature',
  consistency: 'History',
  repositories: 'Repositories',
}

/** Whether all that was checked is right, in a word. */
export function ProofOutcome({ isGood, text }: { isGood: boolean; text: string }) {
  return <strong className={isGood ? classes.good : classes.bad}>{text}</strong>
}

/** List of checks with their results. */
export function ProofChecks({ checks }: { checks: readonly LogCheck[] }) {
  return (
    <ul className={classes.checks}>
      {checks.map(({ name, passed, text, checkpoints }) => (
        <li key={name}>
          <Mark passed={passed} />
          <span className={classes.name}>{names[name]}</span>
          <div>
            {text}
            {checkpoints && <Checkpoints {...checkpoints} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Two checkpoints that do not go together, to be shown to others. */
function Checkpoints({ before, now }: ConflictingCheckpoints) {
  const both = { 'Verified before': before, 'Shown now': now }
  const text = Object.entries(both).map(([title, note]) => `${title}:\n\n${note}`)
  return (
    <div className={classes.checkpoints}>
      {Object.entries(both).map(([title, note]) => (
        <figure key={title}>
          <figcaption>{title}</figcaption>
          <pre>{note.trimEnd()}</pre>
        </figure>
      ))}
      <CopyButton text={text.join('\n')} label="Copy both checkpoints" />
    </div>
  )
}

function Mark({ passed }: Pick<LogCheck, 'passed'>) {
  if (passed === undefined) {
    return <IconPointFilled size={18} aria-label="not compared" className={classes.neutral} />
  }
  return passed ? (
    <IconShieldCheck size={18} aria-label="passed" className={classes.passed} />
  ) : (
    <IconShieldX size={18} aria-label="failed" className={classes.failed} />
  )
}
