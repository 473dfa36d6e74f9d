import { canonicalJson } from '@vitrine/contract'
import { TextCell } from '../TextCell.tsx'
import type { CellValue } from '../value.ts'

/** Characters shown of a value, which may have a mebibyte. */
const mostShown = 200

export function JsonCell({ value }: CellValue) {
  const text = canonicalJson(value)
  return <TextCell value={text.length > mostShown ? `${text.slice(0, mostShown)}…` : text} />
}
