import { plainText, valueBytes } from '@vitrine/contract'
import { Sealed } from '../Sealed.tsx'
import classes from '../ShowText.module.css'
import type { ShownValue } from '../value.ts'
import { WebLink } from './WebLink.tsx'

export function ShowUrl({ value, seal }: ShownValue) {
  const address = plainText(value)
  return (
    <>
      <p className={classes.text}>
        <WebLink address={address} />
      </p>
      <Sealed sha256={seal?.sha256} bytes={() => Promise.resolve(valueBytes(address))} />
    </>
  )
}
