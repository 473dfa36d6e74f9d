import { valueBytes } from '@vitrine/contract'
import { Sealed } from './Sealed.tsx'
import classes from './ShowText.module.css'
import type { ShownValue } from '../fields/value.ts'

/** From so many characters on, a text is given a box of its own to scroll in. */
const longText = 600

export function ShowString({ field, value, seal }: ShownValue) {
  const text = String(value)
  const long = text.length > longText
  return (
    <>
      <p
        className={classes.text}
        dir="auto"
        data-long={long || undefined}
        {...(long && { tabIndex: 0, role: 'region', 'aria-label': field.name })}
      >
        {text}
      </p>
      <Sealed sha256={seal?.sha256} bytes={() => Promise.resolve(valueBytes(text))} />
    </>
  )
}
