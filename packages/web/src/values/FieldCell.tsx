import { useApp } from '../app-context.tsx'
import classes from './FieldCell.module.css'
import { TextCell } from './TextCell.tsx'
import type { CellValue } from './value.ts'
import { webTypeOf } from './web-types.ts'

type Props = Omit<CellValue, 'value'> & { value: CellValue['value'] | undefined }

/** Shows a value in a cell of the items table, on one line. */
export function FieldCell({ value, ...cell }: Props) {
  const { features } = useApp()
  if (value === undefined) return <span className={classes.absent}>–</span>
  const Cell = webTypeOf(cell.field.type, features)?.Cell ?? TextCell
  return <Cell {...cell} value={value} />
}
