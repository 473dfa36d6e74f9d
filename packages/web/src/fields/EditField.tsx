import { EditBinary } from '../values/binary/EditBinary.tsx'
import { EditReference } from './EditReference.tsx'
import { EditString } from '../values/string/EditString.tsx'
import type { EditProps } from '../values/edit-props.ts'
import classes from '../values/FieldFrame.module.css'

type Props = EditProps<string | File> & {
  /** Files that came with the one that is entered, which alone fits. */
  leftOut: number
}

/** The input of a field by its type. */
export function EditField({ entry, leftOut, ...rest }: Props) {
  const text = typeof entry === 'string' ? entry : undefined
  const file = entry instanceof File ? entry : undefined
  switch (rest.field.type) {
    case 'string':
      return <EditString {...rest} entry={text} />
    case 'reference':
      return <EditReference {...rest} entry={text} />
    case 'binary':
      return <EditBinary {...rest} entry={file} leftOut={leftOut} />
    default:
      return (
        <div className={classes.field}>
          <span className={classes.name}>{rest.field.name}</span>
          <span>NOT IMPLEMENTED</span>
        </div>
      )
  }
}
