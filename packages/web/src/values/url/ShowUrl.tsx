import { plainText } from '@vitrine/contract'
import classes from '../ShowText.module.css'
import type { ShownValue } from '../value.ts'
import { WebLink } from './WebLink.tsx'

export function ShowUrl({ value }: ShownValue) {
  return (
    <p className={classes.text}>
      <WebLink address={plainText(value)} />
    </p>
  )
}
