import { plainText } from '@vitrine/contract'
import type { CellValue } from '../value.ts'
import { Digits } from './Digits.tsx'

/** The whole app uses tabular figures (base.css). */
export function NumberCell({ value }: CellValue) {
  return <Digits text={plainText(value)} />
}
