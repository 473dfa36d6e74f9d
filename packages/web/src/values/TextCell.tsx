import { plainText } from '@vitrine/contract'
import { MarkedText } from '../ui/MarkedText.tsx'
import classes from './TextCell.module.css'
import type { CellValue } from './value.ts'

type Props = Pick<CellValue, 'value'> & Partial<Pick<CellValue, 'words'>>

export function TextCell({ value, words }: Props) {
  const text = plainText(value)
  return (
    <span className={classes.text} title={text} dir="auto">
      <MarkedText text={text} words={words} />
    </span>
  )
}
