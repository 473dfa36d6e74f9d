import { CopyButton } from './CopyButton.tsx'
import classes from './CopyText.module.css'

/** Makes a scrolling element focusable, so that the keyboard can scroll it. */
const scrollable = { tabIndex: 0 }

/** A text as it is, beside the button that copies it. */
export function CopyText({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.parts}>
      <section className={classes.text} aria-label={label} {...scrollable}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} label={`Copy the ${label.toLowerCase()}`} />
    </div>
  )
}
