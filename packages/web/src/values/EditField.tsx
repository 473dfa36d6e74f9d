import { useApp } from '../app-context.tsx'
import type { EditProps } from './edit-props.ts'
import classes from './FieldFrame.module.css'
import { webTypeOf } from './web-types.ts'

type Props = EditProps<string | File> & {
  /** How many files were dropped beside the one that was taken. */
  leftOut: number
}

/** Chooses the input of a field by its type. */
export function EditField({ entry, leftOut, ...rest }: Props) {
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
        <div className={classes.field}>
          <span className={classes.name}>{rest.field.name}</span>
          <span>NOT IMPLEMENTED</span>
        </div>
      )
  }
}
