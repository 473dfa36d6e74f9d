import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Chip.module.css'

type Props = {
  children: ReactNode
  /** What the button that removes it is called. */
  removeLabel: string
  onRemove: () => void
  /** Of a chip that can be changed. */
  onEdit?: (() => void) | undefined
}

/** Something that is set, in a few words, and can be taken away. */
export function Chip({ children, removeLabel, onRemove, onEdit }: Props) {
  return (
    <span className={classes.chip}>
      {onEdit === undefined ? (
        <span className={classes.text}>{children}</span>
      ) : (
        <button type="button" className={classes.text} onClick={onEdit}>
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
