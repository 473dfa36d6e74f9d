import type { ComponentType } from 'react'
import { ShowBinary } from '../values/binary/ShowBinary.tsx'
import { ShowReference } from '../values/reference/ShowReference.tsx'
import { ShowString } from '../values/ShowText.tsx'
import classes from '../values/FieldCell.module.css'
import type { ShownValue } from './value.ts'

/** Shows a value as its type wants it; a new type is a new entry. */
const shownAs: Readonly<Record<string, ComponentType<ShownValue>>> = {
  string: ShowString,
  reference: ShowReference,
  binary: ShowBinary,
}

type Props = Omit<ShownValue, 'value'> & { value: ShownValue['value'] | undefined }

export function ShowField({ value, ...shown }: Props) {
  const Show = Object.hasOwn(shownAs, shown.field.type) ? shownAs[shown.field.type] : undefined
  if (Show === undefined) return <p>NOT IMPLEMENTED</p>
  if (value === undefined) return <p className={classes.absent}>no value</p>
  return <Show {...shown} value={value} />
}
