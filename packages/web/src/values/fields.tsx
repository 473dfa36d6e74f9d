import { useApp } from '../app-context.tsx'
import classes from './fields.module.css'
import { TextCell } from './TextCell.tsx'
import type { CellValue, ShownValue } from './value.ts'
import { webTypeOf } from './web-types.ts'
import type { EditProps } from './entry.ts'
import frameClasses from './FieldFrame.module.css'

type CellProps = Omit<CellValue, 'value'> & { value: CellValue['value'] | undefined }

/** Shows a value in a cell of the items table, on one line. */
export function FieldCell({ value, ...cell }: CellProps) {
  const { features } = useApp()
  if (value === undefined) return <span className={classes.absent}>–</span>
  const Cell = webTypeOf(cell.field.type, features)?.Cell ?? TextCell
  return <Cell {...cell} value={value} />
}

type ShowProps = Omit<ShownValue, 'value'> & { value: ShownValue['value'] | undefined }

/** Shows a value with the component of its type. */
export function ShowField({ value, ...shown }: ShowProps) {
  const { features } = useApp()
  const type = webTypeOf(shown.field.type, features)
  if (type === undefined) return <p>NOT IMPLEMENTED</p>
  if (value === undefined) return <p className={classes.absent}>no value</p>
  return <type.Show {...shown} value={value} />
}

type EditFieldProps = EditProps<string | File> & {
  /** How many files were dropped beside the one that was taken. */
  leftOut: number
}

/** Chooses the input of a field by its type. */
export function EditField({ entry, leftOut, ...rest }: EditFieldProps) {
  const { features } = useApp()
  const type = webTypeOf(rest.field.type, features)
  switch (type?.entered) {
    case 'text':
      return <type.Edit {...rest} entry={typeof entry === 'string' ? entry : undefined} />
    case 'file':
      return (
        <type.Edit {...rest} entry={entry instanceof File ? entry : undefined} leftOut={leftOut} />
      )
    case undefined:
      return (
        <div className={frameClasses.field}>
          <span className={frameClasses.name}>{rest.field.name}</span>
          <span>NOT IMPLEMENTED</span>
        </div>
      )
  }
}
