import { plainText } from '@vitrine/contract'
import classes from './ShowText.module.css'
import type { ShownValue } from './value.ts'

/** Characters from which a text scrolls in a box of its own. */
const longText = 600
/** Characters from which it has no kerning. */
const vastText = 10_000

export function ShowText({ field, value }: ShownValue) {
  const text = plainText(value)
  const long = text.length > longText
  return (
    <p
      className={classes.text}
      dir="auto"
      data-long={long || undefined}
      data-vast={text.length > vastText || undefined}
      {...(long && { tabIndex: 0, role: 'region', 'aria-label': field.name })}
    >
      {text}
    </p>
  )
}
