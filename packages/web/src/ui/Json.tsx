import { CopyButton } from './CopyButton.tsx'
import classes from './Json.module.css'

/** A value as formatted JSON, with copy. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className={classes.json}>
      <section
        // What scrolls must be in reach of the keyboard (WCAG 2.1.1).
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={label}
        className={classes.text}
      >
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
