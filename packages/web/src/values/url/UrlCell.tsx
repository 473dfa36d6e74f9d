import { plainText } from '@vitrine/contract'
import classes from '../TextCell.module.css'
import type { CellValue } from '../value.ts'
import { WebLink } from './WebLink.tsx'

export function UrlCell({ value }: CellValue) {
  return <WebLink address={plainText(value)} className={classes.text} />
}
