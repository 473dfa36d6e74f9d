import { plainText } from '@vitrine/contract'
import { MarkedText } from '../ui/MarkedText.tsx'
import { showCharacters } from '../ui/show-amounts.ts'
import classes from './TextCell.module.css'
import type { CellValue } from './value.ts'

type Props = Pick<CellValue, 'value' | 'cut'> & Partial<Pick<CellValue, 'words'>>

export function TextCell({ value, cut, words }: Props) {
  const text = cut === undefined ? plainText(value) : `${plainText(value)}…`
  const shown = (
    <span className={classes.text} title={text} dir="auto">
      <MarkedText text={text} words={words} />
    </span>
  )
  if (cut === undefined) return shown
  return (
    <span className={classes.cut}>
      {shown}
      <small className={classes.length}>{showCharacters(cut)}</small>
    </span>
  )
}
