import { plainText } from '@vitrine/contract'
import classes from './TextCell.module.css'
import type { CellValue } from './value.ts'

export function TextCell({ value }: Pick<CellValue, 'value'>) {
  const text = plainText(value)
  return (
    <span className={classes.text} title={text} dir="auto">
      {text}
    </span>
  )
}
