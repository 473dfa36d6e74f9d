import { plainText } from '@vitrine/contract'
import type { CellValue } from '../value.ts'
import { Day } from './Day.tsx'

export function DateCell({ value }: CellValue) {
  return <Day iso={plainText(value)} />
}
