import { useState, type ReactNode } from 'react'
import classes from './DropTarget.module.css'

type Props = {
  onDrop: (dropped: DataTransfer) => void
  invalid?: boolean
  /** The field that what is pasted inside goes to. */
  field?: string
  children: ReactNode
}

/** A place that files are dropped on, around the file input that does the same. */
export function DropTarget({ onDrop, invalid = false, field, children }: Props) {
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={classes.target}
      data-over={isOver || undefined}
      data-invalid={invalid || undefined}
      data-drop-field={field}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrop(event.dataTransfer)
      }}
    >
      {children}
    </div>
  )
}
