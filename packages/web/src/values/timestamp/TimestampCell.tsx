import { plainText } from '@vitrine/contract'
import { Timestamp } from '../../ui/Timestamp.tsx'
import type { CellValue } from '../value.ts'

export function TimestampCell({ value }: CellValue) {
  return <Timestamp iso={plainText(value)} />
}
