import { plainText } from '@vitrine/contract'
import type { CellValue } from '../value.ts'

/** The whole app uses tabular figures (base.css). */
export function NumberCell({ value }: CellValue) {
  return plainText(value)
}
