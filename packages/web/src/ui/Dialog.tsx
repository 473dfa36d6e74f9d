import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import classes from './Dialog.module.css'

type Props = {
  title: string
  /** Only a screen reader says the title. */
  isTitleHidden?: boolean
  /** It covers the window, and its title is a name of any length and script, on one line. */
  isWhole?: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal dialog, open while it is mounted; Escape closes it and focus returns to where it was. */
export function Dialog({
  title,
  isTitleHidden = false,
  isWhole = false,
  onClose,
  children,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Closed while it is still in the document: only then does focus return to where it was.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classes.dialog}
      data-whole={isWhole || undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className={classes.body}>
        <h2
          id={titleId}
          className={isTitleHidden ? classes.hidden : undefined}
          {...(isWhole && { dir: 'auto', title })}
        >
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
