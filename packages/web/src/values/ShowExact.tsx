import { plainText } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { CopyButton } from '../ui/CopyButton.tsx'
import classes from './ShowExact.module.css'
import type { ShownValue } from './value.ts'

type Props = Pick<ShownValue, 'field' | 'value'> & {
  /** The value in the reader's language. */
  children: ReactNode
}

/** Shows a value in the reader's language and as its exact text. */
export function ShowExact({ field, value, children }: Props) {
  const exact = plainText(value)
  return (
    <p className={classes.value}>
      {children}
      <span className={classes.exact}>
        <code>{exact}</code>
        <CopyButton text={exact} label={`Copy ${field.name}`} />
      </span>
    </p>
  )
}
