import { useApp } from '../app-context.tsx'
import classes from './ShowField.module.css'
import type { ShownValue } from './value.ts'
import { webTypeOf } from './web-types.ts'

type Props = Omit<ShownValue, 'value'> & { value: ShownValue['value'] | undefined }

/** Shows a value with the component of its type. */
export function ShowField({ value, ...shown }: Props) {
  const { features } = useApp()
  const type = webTypeOf(shown.field.type, features)
  if (type === undefined) return <p>NOT IMPLEMENTED</p>
  if (value === undefined) return <p className={classes.absent}>no value</p>
  return <type.Show {...shown} value={value} />
}
