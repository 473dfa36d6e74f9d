import { plainText } from '@vitrine/contract'
import { MarkedText } from '../../ui/MarkedText.tsx'
import classes from '../TextCell.module.css'
import type { CellValue } from '../value.ts'
import { WebLink } from './WebLink.tsx'

export function UrlCell({ value, words }: CellValue) {
  const address = plainText(value)
  return (
    <WebLink address={address} className={classes.text}>
      <MarkedText text={address} words={words} />
    </WebLink>
  )
}
