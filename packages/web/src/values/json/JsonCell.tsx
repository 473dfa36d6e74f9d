import { canonicalJson, plainText } from '@vitrine/contract'
import { TextCell } from '../TextCell.tsx'
import type { CellValue } from '../value.ts'

/** Characters shown of a value, which may have a mebibyte. */
const mostShown = 200

export function JsonCell({ value, cut }: CellValue) {
  if (cut !== undefined) return <TextCell value={plainText(value).slice(0, mostShown)} cut={cut} />
  const text = canonicalJson(value)
  return <TextCell value={text.length > mostShown ? `${text.slice(0, mostShown)}…` : text} />
}
