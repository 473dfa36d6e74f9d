import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './Chip.module.css'

type Props = {
  children: ReactNode
  /** Accessible name of the button that removes it. */
  removeLabel: string
  onRemove: () => void
  /** Full text, of which the chip may show less. */
  title: string
  /** How it is changed: here, or at another page. */
  edit?: (() => void) | string | undefined
}

/** Something that is set, in a few words, and can be taken away. */
export function Chip({ children, removeLabel, onRemove, title, edit }: Props) {
  return (
    <span className={classes.chip}>
      {edit === undefined && (
        <span className={classes.text} title={title}>
          {children}
        </span>
      )}
      {typeof edit === 'string' && (
        <Link className={classes.text} to={edit} title={title}>
          {children}
        </Link>
      )}
      {typeof edit === 'function' && (
        <button type="button" className={classes.text} onClick={edit} title={title}>
          {children}
        </button>
      )}
      <button
        type="button"
        className={classes.remove}
        aria-label={removeLabel}
        title={removeLabel}
        onClick={onRemove}
      >
        <IconX size={14} aria-hidden />
      </button>
    </span>
  )
}
